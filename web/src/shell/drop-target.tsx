import { useEffect, useState } from 'preact/hooks';
import type { DroppedEntry } from '../ui/chosen-files.ts';
import { Icon } from '../ui/icon.tsx';
import { failed } from '../ui/toasts.ts';

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

async function take(transfer: DataTransfer): Promise<void> {
  // Read the entries now, because the browser empties the list of items after the event.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry() as DroppedEntry | null)
    .filter((entry) => entry !== null);
  const loose = [...transfer.files];
  try {
    const { takeDropped } = await import('./take-dropped.ts');
    await takeDropped(entries, loose);
  } catch (error) {
    failed('The dropped files could not be read', error);
  }
}

/** Accepts files and folders dropped anywhere on the page. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Every element under the pointer fires enter and leave events. Count the elements that are still entered.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const hover = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!holdsFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      void take(event.dataTransfer);
    };
    document.addEventListener('dragenter', enter);
    document.addEventListener('dragleave', leave);
    document.addEventListener('dragover', hover);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragenter', enter);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('dragover', hover);
      document.removeEventListener('drop', drop);
    };
  }, []);
  if (!over) return null;
  return (
    <div class="drop-over">
      <div class="drop-card">
        <Icon name="upload" />
        <p class="semi">Drop clips, or the folder of a robot</p>
        <p class="dim">CSV, PKL, NPY, MOTION and NPZ; MJCF or URDF with meshes</p>
      </div>
    </div>
  );
}
