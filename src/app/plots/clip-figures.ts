import { StudioError } from '../../core/errors.ts';
import { Slots } from '../../core/slots.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { ClipPlotPart } from '../../plots/clip-channels.ts';
import type { PlotsToReply, RangeToPlot } from '../../plots/clip-plots-reply.ts';
import { allocatePlots, type ClipPlots, type PlotPass, type PlottedClip } from '../../plots/plot-clip.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';
import { Lazy } from '../data/lazy.ts';
import type { ClipSource, OpenedClip } from '../data/opened.ts';

/** Number of frames that a thread computes per call, which takes tens of milliseconds. */
const RANGE_FRAMES = 2048;

export interface FiguresDeps {
  /** maximum number of ranges of a clip that are computed at the same time */
  readonly threads: number;
  /** Computes a range on another thread. */
  plotRange(robot: ClipRobotSource, work: RangeToPlot): Promise<void>;
  /** Formats a reply on another thread. */
  formatPlots(robot: RobotFacts, order: PlotsToReply): Promise<Uint8Array>;
}

/** A clip, optionally with its raw source, and the memory for the plot values of both. */
interface Compared {
  readonly source: ClipSource | null;
  readonly plotted: PlottedClip;
  readonly plots: ClipPlots;
}

/** Plots of one open clip. Each part is computed once, when a reply first needs it, in ranges of frames on several
 *  threads. */
export class ClipFigures {
  readonly id: number;
  readonly #deps: FiguresDeps;
  readonly #opened: OpenedClip;
  readonly #robot: ClipRobotSource;
  readonly #isOpen: () => boolean;
  readonly #slots: Slots;
  readonly #alone: Compared;
  readonly #compared: Lazy<Compared>;
  readonly #poses = new Lazy(() => this.#compute('poses', this.#alone));
  readonly #torques = new Lazy(() => this.#compute('torques', this.#alone));
  readonly #source = new Lazy(async () => this.#compute('source', await this.#compared.get()));

  /** @param readSource reads the clip's raw source; null if it has none @param isOpen whether the clip is still open */
  constructor(
    deps: FiguresDeps,
    opened: OpenedClip,
    robot: ClipRobotSource,
    readSource: () => Promise<ClipSource | null>,
    isOpen: () => boolean,
  ) {
    this.id = opened.id;
    this.#deps = deps;
    this.#opened = opened;
    this.#robot = robot;
    this.#isOpen = isOpen;
    this.#slots = new Slots(deps.threads);
    const open = () => allocatePlots(robot.facts, opened.clip.frames);
    const data = open();
    this.#alone = { source: null, plotted: { clip: opened.clip, raw: null }, plots: { data, ref: null } };
    this.#compared = new Lazy(async () => {
      const source = await readSource();
      return source
        ? { source, plotted: { clip: opened.clip, raw: source.rows }, plots: { data, ref: open() } }
        : this.#alone;
    });
  }

  /** Returns the reply of `GET /api/plots/clip`. @throws conflict if the clip is closed during the computation */
  async reply({ group, ref }: ClipPlotPart): Promise<Uint8Array> {
    const figures = [
      group === 'torques' ? null : this.#poses.get(),
      ref ? this.#source.get() : null,
      group === null || group === 'torques' ? this.#torques.get() : null,
    ];
    await Promise.all(figures);
    const { source, plots } = ref ? await this.#compared.get() : this.#alone;
    const { dataset, clip, file } = this.#opened;
    return this.#deps.formatPlots(this.#robot.facts, {
      title: `${dataset} / ${clip.name}${file.source === 'npz' ? '' : ' (raw)'}`,
      fps: clip.fps,
      frames: clip.frames,
      plots,
      refLabel: source && `raw source (${source.file})`,
      group,
    });
  }

  async #compute(pass: PlotPass, { plotted, plots }: Compared): Promise<void> {
    if (pass === 'source' && plotted.raw === null) return;
    const { frames } = this.#opened.clip;
    const starts = Array.from({ length: Math.ceil(frames / RANGE_FRAMES) }, (_, k) => k * RANGE_FRAMES);
    await Promise.all(
      starts.map((from) =>
        this.#slots.use(async () => {
          if (!this.#isOpen()) throw new StudioError('conflict', 'the clip was closed in the meantime');
          const range = { from, to: Math.min(frames, from + RANGE_FRAMES) };
          await this.#deps.plotRange(this.#robot, { plotted, pass, range, plots });
        }),
      ),
    );
  }
}
