import { isOpen } from '../../service/preview.ts';
import { Timeline } from './timeline.tsx';
import { Transport } from './transport.tsx';

export function DataDock() {
  return (
    <section class="dock" aria-label="Playback" style={{ gridArea: 'dock' }}>
      <Transport />
      <div class="dock-lanes">
        <Timeline />
        {!isOpen.value && <p class="dock-hint dim">Open a clip to play it.</p>}
      </div>
    </section>
  );
}
