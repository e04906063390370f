import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { Joint, Robot, RobotSummary } from '../../../../src/protocol/schemas/robots.ts';
import type { call } from '../../net/api.ts';
import type { runSlow } from '../../net/busy.ts';
import { LatestSender } from '../../net/latest-sender.ts';
import { Loadable } from '../../ui/loadable.ts';

export interface RobotsDeps {
  readonly call: typeof call;
  /** resolves when a slow task has ended: true after a success, false after a failure, which has then been shown to the
   *  user */
  readonly runSlow: typeof runSlow;
  /** shows an error to the user */
  readonly failed: (what: string, error: unknown) => void;
}

/** Half of the smallest step of the slider. A joint that is closer than this to its default is regarded as
 *  unchanged. */
const CHANGED = 0.005;

/** The robots of the workspace, the selected robot and its pose. */
export class RobotBrowser {
  readonly #deps: RobotsDeps;
  readonly robots: Loadable<ReplyOf<RouteByKey['GET /api/robots']>>;
  /** Uploads of model files that are not saved as robots yet. */
  readonly imports: Loadable<ReplyOf<RouteByKey['GET /api/robots/import']>>;
  /** The selected robot. */
  readonly robot: Loadable<Robot>;
  readonly selectedSummary: ReadonlySignal<RobotSummary | null>;
  /** Id of the robot that is being selected. */
  readonly selecting = signal<string | null>(null);
  /** Id of the upload that was removed last. */
  readonly removedUpload = signal<string | null>(null);
  /** Number of joints that are not in their default position. */
  readonly changedJoints: ReadonlySignal<number>;
  /** One signal per joint, so that a moved slider re-renders one row only. */
  readonly #values = new Map<string, Signal<number>>();
  #valuesOf = '';
  readonly #poses: LatestSender<string, number, ReplyOf<RouteByKey['POST /api/robot/joint']>>;

  constructor(deps: RobotsDeps) {
    this.#deps = deps;
    this.robots = new Loadable(() => deps.call('GET /api/robots'));
    this.imports = new Loadable(() => deps.call('GET /api/robots/import'));
    this.robot = new Loadable(async () => {
      const fetched = await deps.call('GET /api/robot');
      this.#takeValues(fetched.id, fetched.joints);
      return fetched;
    });
    this.selectedSummary = computed(() => {
      const list = this.robots.state.value.value;
      return list?.robots.find((summary) => summary.id === list.selected) ?? null;
    });
    this.changedJoints = computed(() => {
      const joints = this.robot.state.value.value?.joints ?? [];
      return joints.filter((joint) => Math.abs(this.jointValue(joint).value - joint.default) > CHANGED).length;
    });
    this.#poses = new LatestSender(
      (name, value) => {
        return deps.call('POST /api/robot/joint', { body: { name, value } });
      },
      (name, reply) => {
        const value = this.#values.get(name);
        if (value !== undefined) value.value = reply.value;
      },
      (name, error) => {
        deps.failed(`${name} could not be moved`, error);
        void this.robot.refresh();
      },
    );
  }

  /** @returns true if the robot was selected; after a failure false, and the failure was shown to the user */
  readonly selectRobot = async (id: string): Promise<boolean> => {
    this.selecting.value = id;
    const done = await this.#deps.runSlow(`${id} could not be selected`, () =>
      this.#deps.call('POST /api/robot/select', { body: { name: id } }),
    );
    if (this.selecting.peek() === id) this.selecting.value = null;
    return done;
  };

  /** The shown value of a joint, rad or m. */
  readonly jointValue = (joint: Joint): Signal<number> => {
    let value = this.#values.get(joint.name);
    if (value === undefined) {
      value = signal(joint.value);
      this.#values.set(joint.name, value);
    }
    return value;
  };

  /** Takes over the reported values of joints, except for joints that this page is moving. */
  #takeValues(id: string, joints: readonly Joint[]): void {
    if (id !== this.#valuesOf) {
      this.#values.clear();
      this.#valuesOf = id;
    }
    for (const joint of joints) {
      if (!this.#poses.pending(joint.name)) this.jointValue(joint).value = joint.value;
    }
  }

  /** Moves a joint within its limits. @param value rad or m */
  readonly setJoint = (joint: Joint, value: number): void => {
    if (!Number.isFinite(value)) return;
    const clamped = clamp(joint, value);
    this.jointValue(joint).value = clamped;
    this.#poses.push(joint.name, clamped);
  };

  /** Sets every joint to its default value, or to zero. */
  readonly resetPose = async (zero: boolean): Promise<void> => {
    try {
      await this.#deps.call('POST /api/robot/joint/reset', { body: { zero } });
      await this.robot.refresh();
    } catch (error) {
      this.#deps.failed('The pose could not be reset', error);
    }
  };

  /** Deletes a robot. If the robot is selected, closes the open clip first. @returns the token that restores the robot
   *  @throws Error with the service's message */
  readonly deleteRobot = async (id: string): Promise<string> => {
    if (this.robot.value?.id === id) await this.#deps.call('POST /api/data/close');
    const { undo } = await this.#deps.call('DELETE /api/robots/{id}', { params: { id } });
    await this.robots.refresh();
    return undo;
  };

  /** Deletes the files of an unfinished import. @throws Error with the service's message */
  readonly removeUpload = async (id: string): Promise<void> => {
    await this.#deps.call('DELETE /api/robots/import/{id}', { params: { id } });
    this.removedUpload.value = id;
    await this.imports.refresh();
  };

  /** Shows the selected robot in the scene. */
  readonly showRobot = async (): Promise<void> => {
    try {
      await this.#deps.call('POST /api/robot/joint/show');
    } catch (error) {
      this.#deps.failed('The robot could not be shown', error);
    }
  };

  readonly setShowWiring = async (show: boolean): Promise<void> => {
    const current = this.robot.value;
    if (current !== null) this.robot.set({ ...current, options: { show_wiring: show } });
    try {
      await this.#deps.call('POST /api/robot/joint/options', { body: { show_wiring: show } });
    } catch (error) {
      this.#deps.failed('The markers could not be switched', error);
      void this.robot.refresh();
    }
  };

  readonly toggleWiring = (): void => {
    const current = this.robot.value;
    if (current !== null) void this.setShowWiring(!current.options.show_wiring);
  };
}

function clamp(joint: Joint, value: number): number {
  return Math.min(joint.upper ?? Number.POSITIVE_INFINITY, Math.max(joint.lower ?? Number.NEGATIVE_INFINITY, value));
}
