import { computed, type Signal, signal } from '@preact/signals';
import type { Joint, RobotSummary } from '../../../../src/protocol/schemas/robots.ts';
import { call } from '../../net/api.ts';
import { runSlow } from '../../net/busy.ts';
import { LatestSender } from '../../net/latest-sender.ts';
import { ownAction } from '../../net/scene-owner.ts';
import { Loadable } from '../../ui/loadable.ts';
import { failed } from '../../ui/toasts.ts';
import { mirrored, twinOf } from './shared/joint-groups.ts';

export const robots = new Loadable(() => call('GET /api/robots'));
/** Robots that are being made of model files. */
export const imports = new Loadable(() => call('GET /api/robots/import'));
export const robot = new Loadable(async () => {
  const fetched = await call('GET /api/robot');
  takeValues(fetched.id, fetched.joints);
  return fetched;
});

export const selectedSummary = computed<RobotSummary | null>(() => {
  const list = robots.state.value.value;
  return list?.robots.find((summary) => summary.id === list.selected) ?? null;
});

/** Robot that is being selected, by id. */
export const selecting = signal<string | null>(null);

export async function selectRobot(id: string): Promise<void> {
  selecting.value = id;
  ownAction();
  await runSlow(`${id} could not be selected`, () => call('POST /api/robot/select', { body: { name: id } }));
  if (selecting.peek() === id) selecting.value = null;
}

/** One signal a joint, so that a moved slider draws one row. */
const values = new Map<string, Signal<number>>();
let valuesOf = '';
export const mirror = signal(false);

export function jointValue(joint: Joint): Signal<number> {
  let value = values.get(joint.name);
  if (value === undefined) {
    value = signal(joint.value);
    values.set(joint.name, value);
  }
  return value;
}

const poseSender = new LatestSender<string, number, { value: number }>(
  (name, value) => {
    ownAction();
    return call('POST /api/robot/joint', { body: { name, value } });
  },
  (name, reply) => {
    const value = values.get(name);
    if (value !== undefined) value.value = reply.value;
  },
  (name, error) => {
    failed(`${name} could not be moved`, error);
    void robot.refresh();
  },
);

/** Values that the service reports, except of joints that this page is moving right now. */
function takeValues(id: string, joints: readonly Joint[]): void {
  if (id !== valuesOf) {
    values.clear();
    valuesOf = id;
  }
  for (const joint of joints) {
    if (!poseSender.pending(joint.name)) jointValue(joint).value = joint.value;
  }
}

function clamp(joint: Joint, value: number): number {
  return Math.min(joint.upper ?? Number.POSITIVE_INFINITY, Math.max(joint.lower ?? Number.NEGATIVE_INFINITY, value));
}

function setOne(joint: Joint, value: number): void {
  const clamped = clamp(joint, value);
  jointValue(joint).value = clamped;
  poseSender.push(joint.name, clamped);
}

/** Moves a joint, and the one on the other side while "Mirror L/R" is on. */
export function setJoint(joint: Joint, value: number): void {
  if (!Number.isFinite(value)) return;
  setOne(joint, value);
  const twin = mirror.peek() ? twinOf(joint, robot.value?.joints ?? []) : null;
  if (twin !== null) setOne(twin, mirrored(joint.name, clamp(joint, value)));
}

export async function resetPose(zero: boolean): Promise<void> {
  ownAction();
  try {
    await call('POST /api/robot/joint/reset', { body: { zero } });
    await robot.refresh();
  } catch (error) {
    failed('The pose could not be reset', error);
  }
}

/** Deletes a robot; a clip that is open on it is closed first. @throws what the service says */
export async function deleteRobot(id: string): Promise<void> {
  ownAction();
  if (robot.value?.id === id) await call('POST /api/data/close');
  await call('DELETE /api/robots/{id}', { params: { id } });
  await robots.refresh();
}

export async function showRobot(): Promise<void> {
  ownAction();
  try {
    await call('POST /api/robot/joint/show');
  } catch (error) {
    failed('The robot could not be shown', error);
  }
}

export async function setShowWiring(show: boolean): Promise<void> {
  const current = robot.value;
  if (current !== null) robot.set({ ...current, options: { show_wiring: show } });
  ownAction();
  try {
    await call('POST /api/robot/joint/options', { body: { show_wiring: show } });
  } catch (error) {
    failed('The markers could not be switched', error);
    void robot.refresh();
  }
}

export function toggleWiring(): void {
  const current = robot.value;
  if (current !== null) void setShowWiring(!current.options.show_wiring);
}

/** Joints away from their default pose, by more than a slider's smallest step. */
export const changedJoints = computed(() => {
  const joints = robot.state.value.value?.joints ?? [];
  return joints.filter((joint) => Math.abs(jointValue(joint).value - joint.default) > 0.005).length;
});
