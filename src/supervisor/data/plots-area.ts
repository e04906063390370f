import { randomUUID } from 'node:crypto';
import { StudioError } from '../../core/errors.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
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
  #plotted: { readonly id: number; readonly reply: Lazy<Uint8Array> } | null = null;

  constructor(deps: PlotsDeps) {
    this.#deps = deps;
  }

  async clip(): Promise<Tagged<Uint8Array>> {
    const opened = this.#deps.preview.openedClip;
    if (!opened) {
      this.#plotted = null;
      throw new StudioError('conflict', 'no single clip is open: load one with POST /api/data/load');
    }
    const robot = this.#deps.robot();
    if (this.#plotted?.id !== opened.id)
      this.#plotted = { id: opened.id, reply: new Lazy(() => this.#plot(opened, robot)) };
    return { content: await this.#plotted.reply.get(), etag: `clip-${this.#run}-${opened.id}` };
  }

  async #plot(opened: OpenedClip, robot: ClipRobotSource): Promise<Uint8Array> {
    const source = await this.#deps.preview.sourceOf(opened);
    return this.#deps.plotClip(robot, {
      title: `${opened.dataset} / ${opened.clip.name}${opened.file.source === 'npz' ? '' : ' (raw)'}`,
      clip: opened.clip,
      ref: source && { label: `raw source (${source.file})`, rows: source.rows },
    });
  }
}
