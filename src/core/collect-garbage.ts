import v8 from 'node:v8';
import vm from 'node:vm';

/** After the code that released the memory has returned. */
const DELAY_MS = 50;
let isDue = false;

/** Collects garbage on this thread soon. Shared memory is freed once every thread that referred to it has collected, and V8
 *  does not count it: an idle thread would hold hundreds of megabytes for hours. */
export function collectGarbageSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    collector()();
  }, DELAY_MS).unref();
}

let made: (() => void) | null = null;

function collector(): () => void {
  if (!made) {
    v8.setFlagsFromString('--expose-gc');
    made = vm.runInNewContext('gc') as () => void;
  }
  return made;
}
