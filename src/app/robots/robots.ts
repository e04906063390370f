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

/** ms; state events come at most ten times a second. */
const STATE_EVENT_MS = 100;

/** The robot on stage. */
interface Selected {
  readonly id: string;
  readonly source: RobotSource;
  readonly prepared: PreparedRobot;
  readonly viewer: ViewerModel;
  /** rad or m, in qpos order */
  readonly values: Float64Array;
}

export interface RobotsDeps {
  readonly hub: EventHub;
  readonly busy: BusyTasks;
  readonly sim: SimClient;
  readonly owner: OwnerStack;
  /** set here, read by all modules */
  readonly selected: SelectedRobot;
  readonly registry: RobotRegistry;
  readonly logger: Logger;
  nextVersion(): number;
  /** What is drawn in the place of the robot on stage, while a robot is being imported. */
  draft(): ViewerModel | null;
  /** The ground of a scene that has one of its own. */
  ground(): Tagged<Uint8Array> | null;
  datasetsOf(robot: string): Promise<DatasetCounts[]>;
  /** Looks at the presets of a robot, which `tasksOf` then knows. */
  loadTasks(robot: string): Promise<void>;
  tasksOf(facts: RobotFacts): string[];
  /** paths of runs by robot */
  runsByRobot(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Keeps the choice over a restart. */
  rememberSelected(id: string): Promise<void>;
  /** Runs whenever another robot has come on stage. */
  onSelected(facts: RobotFacts): void;
}

/** Robots: list, selection, pose and the model that the viewer draws. */
export class Robots {
  readonly #deps: RobotsDeps;
  readonly #terrain = flatTerrain();
  readonly #stateEvent: RateLimit;
  /** robots are loaded one after another, so that the one requested last stays */
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

  /** The tasks of the robot on stage are others now. */
  tasksChanged(): void {
    this.#described = null;
  }

  async #tasksOf(facts: RobotFacts): Promise<string[]> {
    await this.#deps.loadTasks(facts.id);
    return this.#deps.tasksOf(facts);
  }

  select(name: string): string {
    const { registry, busy } = this.#deps;
    const entry = registry.choose(name);
    return busy.start('select', `Selecting ${entry.prepared?.facts.name ?? entry.id}`, 'robot', async (progress) => {
      if (await this.#keepSelected(entry.id)) return;
      progress.report('preparing the model');
      const prepared = await registry.prepared(entry.id);
      const isOnStage = await this.#mutex.run(async () => {
        if (progress.signal.aborted) return false;
        if (!registry.has(entry.id)) throw badInput(`name: the robot ${entry.id} was deleted meanwhile`);
        progress.report('loading the model', 0.8);
        const isDone = await this.#putOnStage(entry.id, entry.source, prepared, 'select', progress.signal);
        if (isDone) {
          await this.#deps.rememberSelected(entry.id);
          progress.outcome(selectedText(prepared.facts));
        }
        return isDone;
      });
      if (isOnStage && !registry.has(entry.id)) await this.retreatFrom(entry.id);
    });
  }

  /** Keeps the selected robot where it is the one asked for: nothing changes but what a restart selects.
   *  @returns whether it is selected, once a selection that is being put on stage has settled */
  async #keepSelected(id: string): Promise<boolean> {
    if (this.#selected?.id !== id) return false;
    return this.#mutex.run(async () => {
      if (this.#selected?.id !== id) return false;
      await this.#deps.rememberSelected(id);
      return true;
    });
  }

  /** Puts the first robot on stage: the one chosen last, or the built-in one where that does not load. */
  async restore(id: string | null): Promise<void> {
    const { registry, logger } = this.#deps;
    if (id !== null && id !== BUILTIN.id && registry.has(id)) {
      try {
        await this.#putOnStage(id, registry.find(id).source, await registry.prepared(id), 'select');
        logger.info(`Robot ${id} is selected, as before`);
        return;
      } catch (error) {
        logger.warn(`Robot ${id} was selected and cannot be shown: ${messageOf(error)}`);
      }
    }
    await this.#putOnStage(BUILTIN.id, BUILTIN, await registry.prepared(BUILTIN.id), 'select');
    logger.info(`Robot ${BUILTIN.id} is selected`);
  }

  /** Puts the built-in robot in the place of one that is gone. */
  async retreatFrom(id: string): Promise<void> {
    await this.#mutex.run(async () => {
      if (this.#selected?.id !== id) return;
      await this.#putOnStage(BUILTIN.id, BUILTIN, await this.#deps.registry.prepared(BUILTIN.id), 'select');
      this.#deps.logger.info(`Robot ${BUILTIN.id} is selected, as ${id} is gone`);
      await this.#deps.rememberSelected(BUILTIN.id);
    });
  }

  /** A robot came, went or was compiled anew on disk. */
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
      await this.#putOnStage(id, entry.source, entry.prepared, 'changed');
    });
  }

  /** Gives a new sim worker the robot that the old one had. */
  async rebuild(): Promise<void> {
    const selected = this.#selected;
    if (selected) await this.#deps.sim.call({ type: 'robot', robot: this.#forStage(selected) });
  }

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
    if (this.#showWiring !== before) this.#tell('options');
    return { show_wiring: this.#showWiring };
  }

  model(): Tagged<SceneModel> {
    return (this.#deps.draft() ?? this.#current().viewer).model;
  }

  modelBin(): Tagged<Uint8Array> {
    return (this.#deps.draft() ?? this.#current().viewer).bin;
  }

  terrainBin(): Tagged<Uint8Array> {
    return this.#deps.ground() ?? this.#terrain;
  }

  snapshot(): StudioEvent {
    return { type: 'event', topic: 'robot', payload: this.#payload('snapshot') };
  }

  #current(): Selected {
    if (!this.#selected) throw new StudioError('unavailable', 'the service is starting: no robot is on stage yet');
    return this.#selected;
  }

  /** @param signal aborted before the robot is on stage: nothing changes  @returns whether it is on stage */
  async #putOnStage(
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
    await this.#deps.sim.call({ type: 'robot', robot: this.#forStage(selected) });
    this.#selected = selected;
    this.#deps.selected.set(prepared);
    this.#described = null;
    this.#deps.onSelected(facts);
    this.#deps.owner.take('robots');
    this.#publish(reason);
    return true;
  }

  #forStage({ prepared, viewer, values }: Selected) {
    const { wiring } = prepared.facts;
    return robotForStage(prepared, { values, wiring, showWiring: this.#showWiring, version: viewer.version });
  }

  async #applyPose(): Promise<void> {
    const { prepared, values } = this.#current();
    await this.#takeScene();
    await this.#deps.sim.call({ type: 'pose', qpos: qposOf(prepared.facts.rootHeight, [...values]) });
    this.#tell('pose');
  }

  async #takeScene(): Promise<void> {
    if (this.#deps.owner.current === 'robots') return;
    this.#deps.owner.take('robots');
    await this.#deps.sim.call({ type: 'show', owner: 'robots' });
  }

  /** Says that pose or options changed, at most ten times a second. */
  #tell(reason: 'pose' | 'options'): void {
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
