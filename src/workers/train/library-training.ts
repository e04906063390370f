import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { LevelTable } from '../../mdp/command/adaptive-sampling.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { checkpointPolicy } from '../../policy/checkpoint/checkpoint-policy.ts';
import { readCheckpoint } from '../../policy/checkpoint/read-checkpoint.ts';
import type { PolicyWeights } from '../../policy/policy.ts';
import { readTrainingCheckpoint } from '../../runs/checkpoint/read-training-checkpoint.ts';
import type { Checkpoint } from '../../runs/checkpoint/write-checkpoint.ts';
import { type Chunk, chunkLibrary, chunksOf, expertRows } from '../../train/library/chunks.ts';
import { Claims } from '../../train/library/claims.ts';
import { ExpertsRecorder } from '../../train/library/experts-recorder.ts';
import { expertIterations, type LibraryOrder } from '../../train/library/library-budget.ts';
import { type LibraryPlan, LibraryRun } from '../../train/library/library-run.ts';
import type { PhaseEnd, PhaseOptions } from '../../train/library/phase-listener.ts';
import { createGroupMemory, type GroupMemory, WorkerGroup } from '../../train/ppo/worker-group.ts';
import { RunFolder, type TrainingOutcome } from '../../train/run-folder.ts';
import type { TrainingOrder } from '../../train/training-order.ts';
import { type ThreadEntry, threadEntry } from '../thread-entry.ts';
import type { LibraryPart, LibraryThread, LibraryThreadNews } from './messages.ts';
import { runThreads } from './run-threads.ts';

/** Difference between the seeds of two experts. */
const SEED_STEP = 7919;
/** Name of the claim of the process that leads the training. */
const LEADER = 'leader';
/** Time without an update after which a claim is considered lost, s. Shared file systems show changes late. */
const LOST_AFTER_S = 120;
/** Interval at which a process checks for work of other processes, ms. */
const LOOK_MS = 1000;

export interface LibraryResources {
  readonly library: MotionLibrary;
  /** failure levels of the resumed run, for the base policy */
  readonly levels: LevelTable | null;
  /** number of threads, which either train one policy together or one expert each */
  readonly ranks: number;
  /** size of the group memory, as for `createGroupMemory` */
  readonly floats: number;
}

/** A training with experts: one base policy for the whole library, one expert for each chunk of about ten seconds, then
 *  a distillation of the experts into one policy. The experts start from the base policy and are trained side by side,
 *  one thread each, so their results do not depend on the number of threads. */
export class LibraryTraining {
  readonly #order: TrainingOrder;
  readonly #settings: LibraryOrder;
  readonly #resources: LibraryResources;
  readonly #chunks: readonly Chunk[];
  readonly #run: LibraryRun;
  readonly #entry: ThreadEntry = threadEntry('library', import.meta.url);
  readonly #newSteps: number;
  /** memory of the groups that are currently training */
  readonly #active = new Set<GroupMemory>();
  readonly #began = performance.now();
  #stopping = false;
  #outcome: TrainingOutcome | null = null;

  constructor(order: TrainingOrder, settings: LibraryOrder, resources: LibraryResources) {
    // no time limit: each phase ends after an exact number of iterations
    this.#order = { ...order, maxMinutes: null };
    this.#settings = settings;
    this.#resources = resources;
    this.#chunks = chunksOf(resources.library, settings.chunk_s, settings.overlap_s);
    this.#run = new LibraryRun(order.runFolder);
    const { scene, agent } = order.config;
    this.#newSteps = scene.num_envs * agent.num_steps_per_env;
  }

  /** Requests a stop. Progress of unfinished experts is lost. */
  stop(): void {
    this.#stopping = true;
    for (const memory of this.#active) new WorkerGroup(memory, 0).requestStop();
  }

  /** @param resume continues the training of its run, if that has experts and is not complete
   *  @param start the base policy starts from its networks  @returns whether it was stopped before its end */
  async run(resume: Checkpoint | null, start: Checkpoint | null): Promise<boolean> {
    if (!this.#settings.helpers) return this.#lead(resume, start, null);
    this.#run.create();
    const claims = new Claims(this.#run.folder, LOST_AFTER_S);
    claims.take(LEADER);
    try {
      return await this.#lead(resume, start, claims);
    } finally {
      claims.close();
    }
  }

  /** Trains experts for the process that leads the training, until no expert is left or that process has ended.
   *  @returns whether it was stopped */
  async help(): Promise<boolean> {
    const claims = new Claims(this.#run.folder, LOST_AFTER_S);
    try {
      const beganMs = performance.now();
      // The leading process may still be starting.
      const isAlone = () => performance.now() - beganMs > LOST_AFTER_S * 1e3 && claims.isFree(LEADER);
      const stops = () => this.#stopping || isAlone();
      let plan = await this.#run.plan();
      while (plan === null && !stops()) {
        await setTimeout(LOOK_MS);
        plan = await this.#run.plan();
      }
      if (plan && !stops()) await this.#trainExperts(plan, claims, null);
      return this.#stopping;
    } finally {
      claims.close();
    }
  }

  async #lead(resume: Checkpoint | null, start: Checkpoint | null, claims: Claims | null): Promise<boolean> {
    const plan = (resume && (await this.#takeOver(resume))) ?? (await this.#trainBase(resume, start));
    if (plan === null) return true;
    if (plan.experts.every(({ iterations }) => iterations === 0)) return this.#trainOn(plan);
    const folder = new RunFolder(this.#order, this.#order.config, this.#resources.library);
    await this.#trainExperts(plan, claims, folder);
    folder.close();
    const done = await this.#iterationsOf(plan);
    if (this.#stopping) return true;
    return this.#distil(plan, Math.max(done, resume ? resume.iteration + 1 : 0), resume);
  }

  /** Copies the experts of the run to resume. @returns null if that run has no experts, has other chunks, or is
   *  complete */
  async #takeOver(resume: Checkpoint): Promise<LibraryPlan | null> {
    const from = new LibraryRun(path.dirname(this.#order.resume!));
    const plan = await from.plan();
    const same = plan?.experts.map(({ name }) => name).join('\n') === this.#chunks.map(({ name }) => name).join('\n');
    if (!plan || plan.distilled || !same) return null;
    const run = new RunFolder({ ...this.#order, logger: 'none' }, this.#order.config, this.#resources.library);
    run.save(resume, null);
    this.#run.takeOver(from);
    process.stdout.write(`[INFO] Continuing with the experts of: ${path.dirname(this.#order.resume!)}\n`);
    return plan;
  }

  /** Trains the base policy and plans the experts. @returns null after a stop */
  async #trainBase(resume: Checkpoint | null, start: Checkpoint | null): Promise<LibraryPlan | null> {
    const { base, experts, distillation } = this.#settings;
    const { levels } = this.#resources;
    const first = (resume?.iteration ?? 0) + base;
    const end = first + experts + distillation;
    const file = await this.#together({ kind: 'base', phase: this.#phase(0, end, false) }, base, {
      resume,
      start,
      levels,
    });
    if (file === null) return null;
    const checkpoint = await readTrainingCheckpoint(file);
    const tracked = await this.#measure(checkpoint);
    const episodeS = this.#order.config.episode_length_s;
    const iterations = expertIterations(
      experts,
      tracked.map((seconds) => seconds / episodeS),
    );
    const plan = {
      version: 1,
      chunk_s: this.#settings.chunk_s,
      overlap_s: this.#settings.overlap_s,
      first,
      end,
      experts: this.#chunks.map(({ name }, k) => ({ name, base_s: tracked[k]!, iterations: iterations[k]! })),
      distilled: false,
    } as const;
    this.#run.keepBase(file);
    this.#run.writePlan(plan);
    for (const { name, base_s: seconds, iterations: count } of plan.experts)
      process.stdout.write(`[INFO] Base policy, ${name}: ${seconds.toFixed(2)} s; ${count} iterations for an expert\n`);
    return plan;
  }

  /** Measures a policy in all chunks. @returns tracked time by chunk, s */
  async #measure(policy: Checkpoint): Promise<number[]> {
    const { library, ranks } = this.#resources;
    const tracked = new Array<number>(this.#chunks.length).fill(0);
    const groups = Array.from({ length: Math.min(ranks, this.#chunks.length) }, (_, thread) =>
      [...this.#chunks.keys()].filter((k) => k % ranks === thread),
    );
    const datas = groups.map((group): LibraryThread => {
      const clips = group.map((k) => chunkLibrary(library, this.#chunks[k]!).clips[0]!);
      return this.#alone({ kind: 'measure' }, this.#order, { ...library, clips }, { resume: policy, start: null });
    });
    await runThreads<LibraryThreadNews>(this.#entry, datas, (news, thread) => {
      if (news.kind === 'measured') for (const [k, s] of news.tracked.entries()) tracked[groups[thread]![k]!] = s;
    });
    return tracked;
  }

  /** Trains the unfinished experts, those with the most iterations first. @param claims null if there are no helpers
   *  @param folder null in a helper */
  async #trainExperts(plan: LibraryPlan, claims: Claims | null, folder: RunFolder | null): Promise<void> {
    const results = await Promise.all(plan.experts.map((_, k) => this.#run.result(k)));
    const order = [...plan.experts.keys()]
      .filter((k) => plan.experts[k]!.iterations > 0 && results[k] === null)
      .sort((a, b) => plan.experts[b]!.iterations - plan.experts[a]!.iterations || a - b);
    if (order.length === 0) return;
    const waiting = new Set(order);
    const base = await readTrainingCheckpoint(this.#run.baseFile);
    const { config } = this.#order;
    const stepS = config.decimation * config.sim.timestep;
    const done = await this.#iterationsOf(plan);
    const recorder = folder && new ExpertsRecorder(folder, plan, done, stepS, (text) => process.stdout.write(text));
    const runner = async () => {
      for (;;) {
        const k = await this.#next(waiting, claims, recorder);
        if (k === null) return;
        await this.#trainExpert(k, plan.experts[k]!.iterations, base, recorder);
      }
    };
    await Promise.all(Array.from({ length: this.#resources.ranks }, runner));
  }

  /** Returns the next expert to train. @returns null if none is left, or after a stop */
  async #next(waiting: Set<number>, claims: Claims | null, recorder: ExpertsRecorder | null): Promise<number | null> {
    while (!this.#stopping && waiting.size > 0) {
      for (const k of [...waiting]) {
        const result = claims && (await this.#run.result(k));
        if (!waiting.has(k)) continue; // Another thread has finished this expert in the meantime.
        if (result) {
          waiting.delete(k);
          recorder?.takeOver(k, result);
        } else if (claims === null || claims.take(String(k))) {
          waiting.delete(k);
          return k;
        }
      }
      // The remaining experts are claimed by other processes. Only the leading process waits for them.
      if (recorder === null) return null;
      if (waiting.size > 0) await setTimeout(LOOK_MS);
    }
    return null;
  }

  /** Returns the iterations of the run, including those of the finished experts. */
  async #iterationsOf(plan: LibraryPlan): Promise<number> {
    const results = await Promise.all(plan.experts.map((_, k) => this.#run.result(k)));
    return results.reduce((sum, result) => sum + (result?.iterations ?? 0), plan.first);
  }

  async #trainExpert(k: number, iterations: number, base: Checkpoint, recorder: ExpertsRecorder | null): Promise<void> {
    const order = { ...withIterations(this.#order, iterations), seed: this.#order.seed + SEED_STEP * (k + 1) };
    const library = chunkLibrary(this.#resources.library, this.#chunks[k]!);
    const thread = this.#alone({ kind: 'expert', expert: k }, order, library, { resume: null, start: base });
    this.#active.add(thread.memory);
    await runThreads<LibraryThreadNews>(this.#entry, [thread], (news) => {
      if (news.kind === 'iteration') recorder?.iteration(k, news.report);
    });
    this.#active.delete(thread.memory);
    const result = await this.#run.result(k);
    if (result) recorder?.finished(k, result);
  }

  /** Distils the experts into one policy. @param done iterations of the run so far  @returns whether it was stopped */
  async #distil(plan: LibraryPlan, done: number, resume: Checkpoint | null): Promise<boolean> {
    const { library } = this.#resources;
    const base = await this.#weights(this.#run.baseFile);
    const experts = await Promise.all(
      plan.experts.map(async (_, k) =>
        (await this.#run.result(k)) === null ? base : this.#weights(this.#run.checkpointFile(k)),
      ),
    );
    // A checkpoint from before the training of experts is the base policy.
    const begun = resume !== null && resume.iteration >= plan.first;
    const student = begun ? resume : await readTrainingCheckpoint(this.#run.baseFile);
    const phase = this.#phase(done, Math.max(plan.end, done + 1), true);
    const part = { kind: 'distillation', phase, experts, expertRows: expertRows(library, this.#chunks) } as const;
    const start = { ...student, iteration: 0, envSteps: 0 };
    const file = await this.#together(part, phase.end - done, { resume: start, start: null });
    if (file === null) return true;
    this.#run.writePlan({ ...plan, distilled: true });
    return false;
  }

  /** Continues training the base policy to the end, because it has mastered all chunks. @returns whether it was
   *  stopped */
  async #trainOn(plan: LibraryPlan): Promise<boolean> {
    const phase = this.#phase(0, plan.end, true);
    const base = await readTrainingCheckpoint(this.#run.baseFile);
    const file = await this.#together({ kind: 'base', phase }, plan.end - base.iteration, {
      resume: base,
      start: null,
    });
    if (file === null) return true;
    this.#run.writePlan({ ...plan, distilled: true });
    return false;
  }

  /** Runs a phase in all threads. @returns path of the resulting checkpoint; null after a stop */
  async #together(
    part: Extract<LibraryPart, { phase: PhaseOptions }>,
    iterations: number,
    from: Pick<LibraryThread, 'resume' | 'start'> & Partial<Pick<LibraryThread, 'levels'>>,
  ): Promise<string | null> {
    const { library, ranks, floats } = this.#resources;
    const memory = createGroupMemory(ranks, floats);
    const order = withIterations(this.#order, iterations);
    this.#active.add(memory);
    if (this.#stopping) this.stop();
    let end: PhaseEnd | null = null;
    await runThreads<LibraryThreadNews>(
      this.#entry,
      Array.from(
        { length: ranks },
        (_, rank): LibraryThread => ({ order, library, memory, rank, levels: null, part, ...from }),
      ),
      (news) => {
        if (news.kind === 'end' && !news.stopped) end = news.phase;
      },
    );
    this.#active.delete(memory);
    const { checkpoint, outcome } = (end as PhaseEnd | null) ?? { checkpoint: null, outcome: null };
    this.#outcome = outcome;
    return checkpoint === null ? null : path.join(this.#order.runFolder, checkpoint);
  }

  /** @param offset iterations of the run before the phase  @param end iterations of the run at its end */
  #phase(offset: number, end: number, isLast: boolean): PhaseOptions {
    const seconds = (performance.now() - this.#began) / 1e3;
    const earlier = this.#outcome && { ...this.#outcome, seconds };
    return { offset, end, newSteps: this.#newSteps, isLast, earlier };
  }

  /** Returns the data of a thread that trains or measures alone. */
  #alone(
    part: LibraryPart,
    order: TrainingOrder,
    library: MotionLibrary,
    from: Pick<LibraryThread, 'resume' | 'start'>,
  ): LibraryThread {
    const memory = createGroupMemory(1, this.#resources.floats);
    return { order, library, memory, rank: 0, levels: null, part, ...from };
  }

  async #weights(file: string): Promise<PolicyWeights> {
    return checkpointPolicy(await readCheckpoint(file), this.#order.config.agent.actor.activation);
  }
}

function withIterations(order: TrainingOrder, iterations: number): TrainingOrder {
  const { config } = order;
  return { ...order, config: { ...config, agent: { ...config.agent, max_iterations: iterations } } };
}
