import { randomUUID } from 'node:crypto';
import { StudioError } from '../../core/errors.ts';
import type { Tagged } from '../../core/tagged.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { ClipPlotPart } from '../../plots/clip-channels.ts';
import type { DataPreview } from '../data/data-preview.ts';
import { Lazy } from '../data/lazy.ts';
import { ClipFigures, type FiguresDeps } from './clip-figures.ts';

export interface PlotsDeps extends FiguresDeps {
  readonly preview: Pick<DataPreview, 'openedClip' | 'sourceOf'>;
  robot(): ClipRobotSource;
}

/** Plots over time. Plots of the open clip are computed once, at the first request. */
export class ClipPlots {
  readonly #deps: PlotsDeps;
  /** part of the ETags, so that replies from an earlier run of the service do not match */
  readonly #run = randomUUID().slice(0, 8);
  #figures: ClipFigures | null = null;
  /** formatted replies of the open clip */
  #replies = new Map<string, Lazy<Uint8Array>>();

  constructor(deps: PlotsDeps) {
    this.#deps = deps;
  }

  async clip(part: ClipPlotPart): Promise<Tagged<Uint8Array>> {
    const figures = this.#current();
    const name = `${part.group ?? 'all'}${part.ref ? '' : '-alone'}`;
    const reply = this.#replies.get(name) ?? new Lazy(() => figures.reply(part));
    this.#replies.set(name, reply);
    return { content: await reply.get(), etag: `clip-${this.#run}-${figures.id}-${name}` };
  }

  /** Returns the plots of the open clip. @throws conflict if no clip, or a grid, is open */
  #current(): ClipFigures {
    const { preview } = this.#deps;
    const opened = preview.openedClip;
    if (!opened) {
      this.#forget();
      throw new StudioError('conflict', 'no single clip is open. Load one with POST /api/data/load.');
    }
    if (this.#figures?.id === opened.id) return this.#figures;
    this.#forget();
    this.#figures = new ClipFigures(
      this.#deps,
      opened,
      this.#deps.robot(),
      () => preview.sourceOf(opened),
      () => preview.openedClip === opened,
    );
    return this.#figures;
  }

  #forget(): void {
    this.#figures = null;
    this.#replies = new Map();
  }
}
