import { expect, test } from 'vitest';
import { statsText } from '../../../web/src/viewport/stats-text.ts';

test('the drawn rate is shown; the received rate and the resolution are added if they differ', () => {
  expect(statsText({ fps: 60, drawFps: 59.7, scale: 1 })).toBe('60 fps');
  expect(statsText({ fps: 60.2, drawFps: 6.8, scale: 0.5 })).toBe('7 fps drawn, 60 received · 50 % resolution');
  expect(statsText({ fps: 60, drawFps: 60, scale: 0.75 })).toBe('60 fps · 75 % resolution');
});
