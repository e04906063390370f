import { expect, test } from 'vitest';
import { runClipChecks } from '../../../src/checks/run-clip-checks.ts';
import { WALKER_MJCF } from '../../support/models.ts';
import { walkerClipRobot } from '../../support/robots.ts';

test('issues of a slide joint are in metres', async () => {
  const hip = '<joint name="left_hip_joint" axis="0 1 0" range="-1 1"/>';
  expect(WALKER_MJCF).toContain(hip);
  const robot = await walkerClipRobot(WALKER_MJCF.replace(hip, hip.replace('name', 'type="slide" name')));
  const frames = 60;
  const rows = new Float64Array(frames * robot.nq);
  for (let frame = 0; frame < frames; frame += 1) {
    const leg = frame === 0 ? -0.9 : frame < 30 ? 0 : 0.9;
    rows.set([0, 0, 0.62, 1, 0, 0, 0, leg + 0.01 * Math.sin(frame)], frame * robot.nq);
  }
  const issues = runClipChecks(robot, { fps: 50, frames, rows });
  const texts = issues.map(({ kind, text }) => `${kind}: ${text}`).filter((text) => text.includes('left_hip_joint'));
  expect(texts).toContainEqual(expect.stringMatching(/^jump: .*jumps by 0\.\d+ m .*limit is 0\.80 m,/));
  expect(texts).toContainEqual(expect.stringMatching(/^first_frame: .*left_hip_joint by 0\.\d+ m/));
});
