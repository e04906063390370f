import { expect, test } from 'vitest';
import { Slots } from '../../src/core/slots.ts';

/** Returns work that runs until the test ends it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('at most the given number run at a time; the others wait in order', async () => {
  const slots = new Slots(2);
  const gates = [gate(), gate(), gate(), gate()];
  const begun: number[] = [];
  const all = gates.map(({ opened }, k) =>
    slots.use(async () => {
      begun.push(k);
      await opened;
      return k;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  gates[1]!.open();
  await all[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test('work that fails frees its slot, and a waiter that gives up leaves the queue', async () => {
  const slots = new Slots(1);
  const first = gate();
  const failing = slots.use(async () => {
    await first.opened;
    throw new Error('broken');
  });
  const abort = new AbortController();
  const given = slots.use(() => Promise.resolve('never'), abort.signal);
  const last = slots.use(() => Promise.resolve('last'));
  abort.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  first.open();
  await expect(failing).rejects.toThrow('broken');
  expect(await last).toBe('last');
  await expect(slots.use(() => Promise.resolve('no'), abort.signal)).rejects.toThrow('given up');
});
