import { randomUUID } from 'node:crypto';
import { StudioError } from '../../core/errors.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { ClipPlotPart } from '../../plots/clip-channels.ts';
import type { ClipToPlot } from '../../plots/clip-plots-reply.ts';
import type { PlotsArea as PlotsAreaContract, Tagged } from '../studio.ts';
import { Lazy } from './lazy.ts';
import type { OpenedClip } from './opened.ts';
import type { PreviewArea } from './preview-area.ts';

export interface PlotsDeps {
  readonly preview: Pick<PreviewArea, 'openedClip' | 'sourceOf'>;
  robot(): ClipRobotSource;
  /** Computes the reply of a clip's plots, elsewhere. */
  plotClip(robot: ClipRobotSource, clip: ClipToPlot): Promise<Uint8Array>;
}

/** Figures over time. Those of the open clip are computed once, when they are first asked for. */
export class PlotsArea implements PlotsAreaContract {
  readonly #deps: PlotsDeps;
  /** tells the clips of this run of the service from those of another */
  readonly #run = randomUUID().slice(0, 8);
  #plotted: { readonly id: number; readonly replies: Map<string, Lazy<Uint8Array>> } | null = null;

  constructor(deps: PlotsDeps) {
    this.#deps = deps;
  }

  async clip(part: ClipPlotPart): Promise<Tagged<Uint8Array>> {
    const opened = this.#deps.preview.openedClip;
    if (!opened) {
      this.#plotted = null;
      throw new StudioError('conflict', 'no single clip is open: load one with POST /api/data/load');
    }
    const robot = this.#deps.robot();
    if (this.#plotted?.id !== opened.id) this.#plotted = { id: opened.id, replies: new Map() };
    const { replies } = this.#plotted;
    const name = `${part.group ?? 'all'}${part.ref ? '' : '-alone'}`;
    const reply = replies.get(name) ?? new Lazy(() => this.#plot(opened, robot, part));
    replies.set(name, reply);
    return { content: await reply.get(), etag: `clip-${this.#run}-${opened.id}-${name}` };
  }

  async #plot(opened: OpenedClip, robot: ClipRobotSource, { group, ref }: ClipPlotPart): Promise<Uint8Array> {
    const source = ref ? await this.#deps.preview.sourceOf(opened) : null;
    return this.#deps.plotClip(robot, {
      title: `${opened.dataset} / ${opened.clip.name}${opened.file.source === 'npz' ? '' : ' (raw)'}`,
      clip: opened.clip,
      ref: source && { label: `raw source (${source.file})`, rows: source.rows },
      group,
    });
  }
}
