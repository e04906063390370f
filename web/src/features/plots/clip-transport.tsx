import { Lazy } from '../../ui/lazy.tsx';
import { Transport } from '../data/shared/transport.tsx';

const overview = () => import('./plots-overview.tsx').then((part) => part.PlotsOverview);

/** The transport of the open clip, with an overview of the clip while plots are shown. */
export function ClipTransport() {
  return <Transport overview={<Lazy load={overview} what="The overview" />} />;
}
