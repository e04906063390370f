import v8 from 'node:v8';
import vm from 'node:vm';

/** Delay of the collection, ms, so that the code that released the memory returns first. */
const DELAY_MS = 50;
let isDue = false;

/** Schedules a garbage collection on this thread. Shared memory is freed only after every thread that referred to it
 *  has collected. V8 does not count shared memory, so an idle thread would hold hundreds of megabytes for hours. */
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
