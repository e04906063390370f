import { expect, test } from 'vitest';
import { CLIP_CHECKS, READING_CHECKS } from '../../src/checks/check-list.ts';
import { clipCheck } from '../../src/checks/check-spec.ts';
import { resultsKey } from '../../src/checks/results-key.ts';
import { runClipChecks } from '../../src/checks/run-clip-checks.ts';
import { checkSettings } from '../../src/checks/settings.ts';
import { threshold } from '../../src/checks/threshold.ts';
import { readSettings } from '../../src/core/settings.ts';
import { CHECK_KINDS } from '../../src/protocol/check-kinds.ts';
import { builtinClip } from '../support/clips.ts';
import { humanoidClipRobot } from '../support/robots.ts';
import { temporaryFile } from '../support/temporary-file.ts';

test('every issue kind of the protocol has exactly one check', () => {
  const kinds = [...CLIP_CHECKS, ...READING_CHECKS].map(({ kind }) => kind);
  expect([...kinds].sort()).toEqual(Object.keys(CHECK_KINDS).sort());
});

/** The check from CONTRIBUTING. It borrows a kind of the protocol. */
const EXAMPLE = clipCheck({
  kind: 'frozen',
  version: 7,
  thresholds: { seconds: threshold(2, 's that a clip may last') },
  run: ({ clip: { frames, fps } }, { seconds }) =>
    frames / fps <= seconds
      ? []
      : [
          {
            ...{ kind: 'frozen', severity: 'warning', text: 'the clip is long.', fix: null },
            frames: [0, frames - 1],
            plot: { channels: ['root.pos.x'], frame: 0 },
          },
        ],
});

test('a check added to the list runs with its threshold, which is also a setting', async () => {
  const robot = await humanoidClipRobot();
  const clip = builtinClip('squat');
  expect(runClipChecks(robot, clip, {}, [EXAMPLE])).toMatchObject([{ text: 'the clip is long.' }]);
  const settings = async (text: string) =>
    (await readSettings({ qa: checkSettings([EXAMPLE]) }, temporaryFile('studio.yaml', text), 'studio.yaml', true)).qa;
  expect(runClipChecks(robot, clip, await settings('qa: {frozen: {seconds: 1000}}'), [EXAMPLE])).toEqual([]);
  await expect(settings('qa:\n  frozen: {seconds: 0}')).rejects.toThrow(
    'studio.yaml:2: qa.frozen.seconds: must be a number > 0',
  );
});

test('another version or threshold of any check makes kept results stale', () => {
  expect(resultsKey({})).toBe(resultsKey({ frozen: { seconds: 0.3 } }));
  expect(resultsKey({ frozen: { seconds: 0.4 } })).not.toBe(resultsKey({}));
  expect(resultsKey({}, [EXAMPLE])).not.toBe(resultsKey({}, [{ ...EXAMPLE, version: 8 }]));
});
