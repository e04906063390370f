import { StudioError } from '../../core/errors.ts';
import type { Transport, TransportChoice, TransportOptions } from './transport.ts';
import { loadUws, UwsTransport } from './uws-transport.ts';

/** Makes the transport that was chosen.
 *  @param onChosen gets one sentence: which one runs, and why
 *  @throws unavailable where `uws` was asked for by name and its binary does not load */
export async function createTransport(
  choice: TransportChoice,
  options: TransportOptions,
  onChosen: (sentence: string) => void = () => {},
): Promise<Transport> {
  if (choice === 'node') throw new StudioError('unavailable', 'transport node: is not part of this build');
  const uws = await loadUws();
  if (typeof uws === 'string') {
    throw new StudioError('unavailable', `transport uws: uWebSockets.js does not load here (${uws})`);
  }
  onChosen('transport uws: uWebSockets.js');
  return new UwsTransport(uws, options);
}
