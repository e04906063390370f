/** Calls `tick` `hz` times per second by the monotonic clock. Baselines use this clock instead of the product's,
 *  because they must not contain code of the product. */
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
