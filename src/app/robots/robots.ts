import { badInput, messageOf, StudioError } from '../../core/errors.ts';
import { countText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Tagged } from '../../core/tagged.ts';
import type { EventPayloads, StudioEvent } from '../../protocol/events.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { listRobots } from '../../protocol/routes/robots.ts';
import type { DatasetCounts } from '../../protocol/schemas/data.ts';
import type { Joint, Robot, RobotSummary, SceneModel } from '../../protocol/schemas/robots.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import { clampToLimits, leadFollowers, qposOf, type RobotFacts } from '../../robots/robot-facts.ts';
import type { RobotRegistry } from '../../robots/robot-registry.ts';
import { BUILTIN, type RobotSource } from '../../robots/robot-source.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { BusyTasks } from '../busy-tasks.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import type { OwnerStack } from '../scene-owner.ts';
import type { SelectedRobot } from './selected-robot.ts';
import { readViewerModel, robotForStage, type ViewerModel } from './staged-robot.ts';
import { flatTerrain } from './terrain.ts';

/** Minimum time between two state events, ms. */
const STATE_EVENT_MS = 100;

/** The selected robot. */
interface Selected {
  readonly id: string;
  readonly source: RobotSource;
  readonly prepared: PreparedRobot;
  readonly viewer: ViewerModel;
  /** joint positions in qpos order, rad or m */
  readonly values: Float64Array;
}

export interface RobotsDeps {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly sim: SimClient;
  readonly owner: OwnerStack;
  /** the selected robot; this class sets it, all modules read it */
  readonly selected: SelectedRobot;
  readonly registry: RobotRegistry;
  readonly logger: Logger;
  nextVersion(): number;
  /** Returns the model of the robot that is being imported, while this model is shown; else null. */
  draft(): ViewerModel | null;
  /** Returns the ground of the shown scene; null if the scene uses the default ground. */
  ground(): Tagged<Uint8Array> | null;
  datasetsOf(robot: string): Promise<DatasetCounts[]>;
  /** Reads the presets of a robot. Afterwards `tasksOf` includes them. */
  loadTasks(robot: string): Promise<void>;
  tasksOf(facts: RobotFacts): string[];
  /** Returns the paths of runs by robot. */
  runsByRobot(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Stores the id of the selected robot for the next start of the service. */
  rememberSelected(id: string): Promise<void>;
  /** Called after another robot was selected, or after the selected robot was compiled again. */
  onSelected(facts: RobotFacts): void;
}

/** Lists and selects robots. Holds the pose of the selected robot and the model that viewers draw. */
export class Robots {
  readonly #deps: RobotsDeps;
  readonly #terrain = flatTerrain();
  readonly #stateEvent: RateLimit;
  /** lock for loading, so that the robot of the last request ends up selected */
  readonly #mutex = new Mutex();
  #stateReason: 'pose' | 'options' = 'pose';
  #selected: Selected | null = null;
  #described: Tagged<Robot> | null = null;
  #descriptions = 0;
  #showWiring = false;

  constructor(deps: RobotsDeps) {
    this.#deps = deps;
    this.#stateEvent = new RateLimit(STATE_EVENT_MS, () => this.#publish(this.#stateReason));
  }

  async list(): Promise<ReplyOf<typeof listRobots>> {
    const selected = this.#current().id;
    const runs = await this.#deps.runsByRobot();
    const robots = await Promise.all(
      this.#deps.registry.list().map(async (entry): Promise<RobotSummary> => {
        const facts = entry.prepared?.facts;
        return {
          id: entry.id,
          name: facts?.name ?? entry.id,
          source: sourceOf(entry.source),
          selected: entry.id === selected,
          model: facts
            ? {
                bodies: facts.bodies.length,
                joints: facts.joints.length,
                actuators: facts.actuators,
                mass: facts.mass,
                height: facts.height,
              }
            : null,
          datasets: await this.#deps.datasetsOf(entry.id),
          runs: [...(runs.get(entry.id) ?? [])],
          tasks: facts ? await this.#tasksOf(facts) : [],
          error: entry.error,
        };
      }),
    );
    return { robots, selected };
  }

  /** Returns the selected robot. Returns the same object until any part of it changes, so that frequent requests are
   *  cheap. */
  selected(): Tagged<Robot> {
    const current = this.#current();
    this.#described ??= { content: this.#describe(current), etag: `${current.viewer.version}-${++this.#descriptions}` };
    return this.#described;
  }

  #describe({ id, source, prepared, viewer, values }: Selected): Robot {
    const { facts } = prepared;
    return {
      id,
      name: facts.name,
      source: sourceOf(source),
      joints: facts.joints.map(
        (joint, index): Joint => ({
          name: joint.name,
          index,
          type: joint.type,
          lower: joint.lower,
          upper: joint.upper,
          default: joint.default,
          value: values[index]!,
          effort_limit: joint.effortLimit,
          velocity_limit: joint.velocityLimit,
          stiffness: joint.stiffness,
          damping: joint.damping,
          unit: joint.type === 'hinge' ? 'rad' : 'm',
          ...(joint.follows ? { follows: facts.joints[joint.follows.joint]!.name } : {}),
        }),
      ),
      wiring: facts.wiring,
      tasks: this.#deps.tasksOf(facts),
      options: { show_wiring: this.#showWiring },
      model_version: viewer.version,
      root: [0, 0, facts.rootHeight, 1, 0, 0, 0],
    };
  }

  /** Discards the cached description of the selected robot, because the robot's tasks have changed. */
  tasksChanged(): void {
    this.#described = null;
  }

  async #tasksOf(facts: RobotFacts): Promise<string[]> {
    await this.#deps.loadTasks(facts.id);
    return this.#deps.tasksOf(facts);
  }

  /** Selects a robot, which is slow. @returns the name of the busy task  @throws bad_input for an unknown robot */
  select(name: string): string {
    const { registry, busy } = this.#deps;
    const entry = registry.choose(name);
    return busy.start('select', `Selecting ${entry.prepared?.facts.name ?? entry.id}`, 'robot', async (progress) => {
      if (await this.#keepSelected(entry.id)) return;
      progress.report('preparing the model');
      const prepared = await registry.prepared(entry.id);
      const isSelected = await this.#mutex.run(async () => {
        if (progress.signal.aborted) return false;
        if (!registry.has(entry.id)) throw badInput(`name: the robot ${entry.id} was deleted in the meantime`);
        progress.report('loading the model', 0.8);
        const isDone = await this.#show(entry.id, entry.source, prepared, 'select', progress.signal);
        if (isDone) {
          await this.#deps.rememberSelected(entry.id);
          progress.outcome(selectedText(prepared.facts));
        }
        return isDone;
      });
      if (isSelected && !registry.has(entry.id)) await this.retreatFrom(entry.id);
    });
  }

  /** Stores the selection of a robot that is already selected, without loading the robot again.
   *  @returns whether the robot is still selected after a running selection has ended */
  async #keepSelected(id: string): Promise<boolean> {
    if (this.#selected?.id !== id) return false;
    return this.#mutex.run(async () => {
      if (this.#selected?.id !== id) return false;
      await this.#deps.rememberSelected(id);
      return true;
    });
  }

  /** Selects the first robot after a start: the robot of the last run of the service, or the built-in robot if
   *  loading fails. */
  async restore(id: string | null): Promise<void> {
    const { registry, logger } = this.#deps;
    if (id !== null && id !== BUILTIN.id && registry.has(id)) {
      try {
        await this.#show(id, registry.find(id).source, await registry.prepared(id), 'select');
        logger.info(`Robot ${id} is selected, as before the restart`);
        return;
      } catch (error) {
        logger.warn(`Robot ${id} was selected and cannot be shown: ${messageOf(error)}`);
      }
    }
    await this.#show(BUILTIN.id, BUILTIN, await registry.prepared(BUILTIN.id), 'select');
    logger.info(`Robot ${BUILTIN.id} is selected`);
  }

  /** Selects the built-in robot if the deleted robot `id` was selected. */
  async retreatFrom(id: string): Promise<void> {
    await this.#mutex.run(async () => {
      if (this.#selected?.id !== id) return;
      await this.#show(BUILTIN.id, BUILTIN, await this.#deps.registry.prepared(BUILTIN.id), 'select');
      this.#deps.logger.info(`Robot ${BUILTIN.id} is selected, because ${id} was deleted`);
      await this.#deps.rememberSelected(BUILTIN.id);
    });
  }

  /** Updates the robots after one was added, removed or compiled again. */
  async changedOnDisk(id: string): Promise<void> {
    const { hub, registry } = this.#deps;
    hub.publish('robots', { reason: 'changed', id });
    if (!registry.has(id)) {
      await this.retreatFrom(id);
      return;
    }
    await this.#mutex.run(async () => {
      const entry = registry.has(id) ? registry.find(id) : null;
      if (this.#selected?.id !== id || !entry?.prepared || entry.prepared.key === this.#selected.prepared.key) return;
      await this.#show(id, entry.source, entry.prepared, 'changed');
    });
  }

  /** Shows the selected robot in a new simulation thread. */
  async rebuild(): Promise<void> {
    const selected = this.#selected;
    if (selected) await this.#deps.sim.call({ type: 'robot', robot: this.#toStaged(selected) });
  }

  /** Sets a joint. The promise settles when the next frame shows the pose.
   *  @returns the applied value, clamped to the joint's range */
  async pose(joint: string, value: number): Promise<number> {
    const { prepared, values } = this.#current();
    const { joints } = prepared.facts;
    const index = joints.findIndex((other) => other.name === joint);
    const found = joints[index];
    if (!found) throw badInput(`name: ${prepared.facts.name} has no joint ${JSON.stringify(joint)}`);
    if (!Number.isFinite(value)) throw badInput('value: must be a finite number');
    values[index] = clampToLimits(found, value);
    leadFollowers(joints, values);
    this.#described = null;
    await this.#applyPose();
    return values[index]!;
  }

  async reset(zero: boolean): Promise<void> {
    const { prepared, values } = this.#current();
    const { joints } = prepared.facts;
    for (const [k, joint] of joints.entries()) values[k] = zero ? 0 : joint.default;
    leadFollowers(joints, values);
    this.#described = null;
    await this.#applyPose();
  }

  async show(): Promise<void> {
    await this.#takeScene();
  }

  async setOptions(options: { show_wiring?: boolean | undefined }): Promise<{ show_wiring: boolean }> {
    const before = this.#showWiring;
    this.#showWiring = options.show_wiring ?? before;
    this.#described = null;
    await this.#takeScene();
    await this.#deps.sim.call({ type: 'wiring', show: this.#showWiring });
    if (this.#showWiring !== before) this.#announce('options');
    return { show_wiring: this.#showWiring };
  }

  model(): Tagged<SceneModel> {
    return (this.#deps.draft() ?? this.#current().viewer).model;
  }

  modelBin(): Tagged<Uint8Array> {
    return (this.#deps.draft() ?? this.#current().viewer).bin;
  }

  /** Reads a texture. @throws bad_input for a name that no geom of the shown robot uses */
  texture(name: string): Promise<Tagged<Uint8Array>> {
    return (this.#deps.draft() ?? this.#current().viewer).texture(name);
  }

  terrainBin(): Tagged<Uint8Array> {
    return this.#deps.ground() ?? this.#terrain;
  }

  snapshot(): StudioEvent {
    return { type: 'event', topic: 'robot', payload: { ...this.#payload('snapshot'), by: null } };
  }

  #current(): Selected {
    if (!this.#selected) throw new StudioError('unavailable', 'the service is starting: no robot is selected yet');
    return this.#selected;
  }

  /** Shows a robot and selects it. @param signal if it aborts before the robot is shown, nothing changes @returns
   *  whether the robot is selected */
  async #show(
    id: string,
    source: RobotSource,
    prepared: PreparedRobot,
    reason: 'select' | 'changed',
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { facts } = prepared;
    await this.#deps.loadTasks(id);
    const selected: Selected = {
      id,
      source,
      prepared,
      viewer: await readViewerModel(id, prepared, this.#deps.nextVersion()),
      values: Float64Array.from(facts.joints, (joint) => joint.default),
    };
    if (signal?.aborted) return false;
    await this.#deps.sim.call({ type: 'robot', robot: this.#toStaged(selected) });
    this.#selected = selected;
    this.#deps.selected.set(prepared);
    this.#described = null;
    this.#deps.onSelected(facts);
    this.#deps.owner.take('robots');
    this.#publish(reason);
    return true;
  }

  #toStaged({ prepared, viewer, values }: Selected) {
    const { wiring } = prepared.facts;
    return robotForStage(prepared, { values, wiring, showWiring: this.#showWiring, version: viewer.version });
  }

  async #applyPose(): Promise<void> {
    const { prepared, values } = this.#current();
    await this.#takeScene();
    await this.#deps.sim.call({ type: 'pose', qpos: qposOf(prepared.facts.rootHeight, [...values]) });
    this.#announce('pose');
  }

  async #takeScene(): Promise<void> {
    if (this.#deps.owner.current === 'robots') return;
    this.#deps.owner.take('robots');
    await this.#deps.sim.call({ type: 'show', owner: 'robots' });
  }

  /** Publishes a change of the pose or the options, at most ten times per second. */
  #announce(reason: 'pose' | 'options'): void {
    this.#stateReason = reason;
    this.#stateEvent.trigger();
  }

  #publish(reason: EventPayloads['robot']['reason']): void {
    this.#deps.hub.publish('robot', this.#payload(reason));
  }

  #payload(reason: EventPayloads['robot']['reason']): EventPayloads['robot'] {
    const { id, viewer } = this.#current();
    return { id, model_version: viewer.version, reason };
  }
}

function selectedText({ id, name, joints, mass }: RobotFacts): string {
  const called = name === id ? id : `${id} (${name})`;
  return `Robot ${called} selected: ${countText(joints.length, 'joint')}, ${mass.toFixed(1)} kg`;
}

function sourceOf(source: RobotSource): 'builtin' | 'created' {
  return source.kind === 'builtin' ? 'builtin' : 'created';
}
