import { expect, test } from 'vitest';
import type { Joint, Robot } from '../../../../src/protocol/schemas/robots.ts';
import { RobotBrowser } from '../../../../web/src/features/robots/robot-browser.ts';
import { poseMover } from '../../../../web/src/features/robots/shared/mirror-pose.ts';
import { type Answers, answering, settled } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

const joint = (name: string, value = 0): Joint =>
  ({ name, type: 'hinge', unit: 'rad', lower: -1, upper: 1, default: 0, value }) as Joint;

const robot = (...joints: Joint[]) => ({ id: 'g1', joints, options: { show_wiring: false } }) as unknown as Robot;

function browser(answers: Parameters<typeof answering>[0]) {
  const failures: string[] = [];
  const service: Answers = answering(answers);
  const robots = new RobotBrowser({
    call: service.call,
    runSlow: async (_, start) => (await start()).task !== '',
    failed: (what) => failures.push(what),
  });
  return { robots, failures, calls: service.calls };
}

test('a moved joint is shown at once, within its limits, and keeps its value while the robot is fetched', async () => {
  const reply = deferred<{ ok: true; value: number }>();
  const knee = joint('left_knee_joint');
  const { robots } = browser({ 'GET /api/robot': () => robot(knee), 'POST /api/robot/joint': () => reply.promise });
  await robots.robot.refresh();
  robots.setJoint(knee, 5);
  expect(robots.jointValue(knee).value).toBe(1);
  await robots.robot.refresh();
  expect(robots.jointValue(knee).value).toBe(1);
  reply.resolve({ ok: true, value: 0.9 });
  await settled();
  expect(robots.jointValue(knee).value).toBe(0.9);
});

test('selecting a robot tells whether it succeeded', async () => {
  const { robots } = browser({ 'POST /api/robot/select': () => ({ task: '' }) });
  expect([await robots.selectRobot('broken'), robots.selecting.value]).toEqual([false, null]);
});

test('a refused pose is reported, and the joint returns to the value of the service', async () => {
  const knee = joint('left_knee_joint', 0.2);
  const { robots, failures } = browser({ 'GET /api/robot': () => robot(knee) });
  await robots.robot.refresh();
  robots.setJoint(knee, 0.8);
  await settled();
  await robots.robot.refresh();
  expect(failures).toEqual(['left_knee_joint could not be moved']);
  expect(robots.jointValue(knee).value).toBe(0.2);
});

test('in mirror mode the twin follows with the sign of its axis', async () => {
  const [left, right] = [joint('left_hip_roll_joint'), joint('right_hip_roll_joint')];
  const { robots } = browser({
    'GET /api/robot': () => robot(left, right),
    'POST /api/robot/joint': ({ body }) => ({ ok: true, value: body?.['value'] }),
  });
  await robots.robot.refresh();
  const { mirror, moveJoint } = poseMover(robots);
  moveJoint(left, 0.2);
  expect(robots.jointValue(right).value).toBe(0);
  mirror.value = true;
  moveJoint(left, 0.5);
  expect([robots.jointValue(left).value, robots.jointValue(right).value]).toEqual([0.5, -0.5]);
  expect(robots.changedJoints.value).toBe(2);
});

test('markers that the service refuses to show are switched off again', async () => {
  const { robots, failures } = browser({ 'GET /api/robot': () => robot() });
  await robots.robot.refresh();
  const done = robots.setShowWiring(true);
  expect(robots.robot.value?.options.show_wiring).toBe(true);
  await done;
  await robots.robot.refresh();
  expect(robots.robot.value?.options.show_wiring).toBe(false);
  expect(failures).toEqual(['The markers could not be switched']);
});

test('an open clip is closed before the selected robot is deleted', async () => {
  const { robots, calls } = browser({
    'GET /api/robot': () => robot(),
    'GET /api/robots': () => ({ robots: [], selected: 'humanoid' }),
    'POST /api/data/close': () => ({}),
    'DELETE /api/robots/{id}': () => ({}),
  });
  await robots.robot.refresh();
  await robots.deleteRobot('g1');
  expect(calls.slice(1)).toEqual(['POST /api/data/close', 'DELETE /api/robots/{id}', 'GET /api/robots']);
});
