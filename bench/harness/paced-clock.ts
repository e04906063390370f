/** Calls `tick` `hz` times a second by the monotonic clock. A baseline's own clock: what is measured must not lend its
 *  parts to what it is measured against. */
export class PacedClock {
  constructor(hz: number, tick: () => void) {
    const periodMs = 1e3 / hz;
    let dueMs = performance.now() + periodMs;
    const run = () => {
      const now = performance.now();
      if (now >= dueMs - 0.5) {
        dueMs = Math.max(dueMs + periodMs, now);
        tick();
      }
      setTimeout(run, Math.max(0, dueMs - performance.now()));
    };
    setTimeout(run, periodMs);
  }
}
