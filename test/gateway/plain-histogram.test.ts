import { Histogram, type Metric, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { PlainHistogram } from '../../src/gateway/plain-histogram.ts';

test('a histogram is written as prom-client writes it for the same observations', async () => {
  const bounds = [0.01, 0.1, 1];
  const own = new Registry();
  const theirs = new Registry();
  const plain = new PlainHistogram('seconds', 'How long', bounds);
  own.registerMetric(plain as unknown as Metric<string>);
  const reference = new Histogram({ name: 'seconds', help: 'How long', buckets: bounds, registers: [theirs] });
  for (const value of [0.005, 0.01, 0.0100001, 0.5, 1, 30]) {
    plain.observe(value);
    reference.observe(value);
  }
  expect(await own.metrics()).toBe(await theirs.metrics());
});
