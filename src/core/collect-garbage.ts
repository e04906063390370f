import v8 from 'node:v8';
import vm from 'node:vm';

/** After what let go of the memory has unwound. */
const DELAY_MS = 50;
let isDue = false;

/** Lets this thread look soon for memory that nobody needs any more. Shared memory is freed when every thread that knew
 *  it has looked, and V8 does not count it: a thread that does little else would hold hundreds of megabytes for hours. */
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
