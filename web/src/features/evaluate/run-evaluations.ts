import { signal } from '@preact/signals';
import type { BodyOf, ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { Evaluation, ListedEvaluation } from '../../../../src/protocol/schemas/evaluation.ts';
import type { call, callBytes } from '../../net/api.ts';
import type { runSlow } from '../../net/busy.ts';
import { Loadable } from '../../ui/loadable.ts';
import type { failed, toast } from '../../ui/toasts.ts';

export type EvaluateBody = BodyOf<RouteByKey['POST /api/evaluate']>;
export type Difference = ReplyOf<RouteByKey['GET /api/evaluations/compare']>['differences'][number];

/** An episode of a report. Frames at the control rate. */
export interface Episode {
  /** index into `clip_names` */
  readonly clip: number;
  readonly start: number;
  readonly possible: number;
  readonly steps: number;
  readonly failure: {
    readonly frame: number;
    readonly term: string;
    readonly subject: string | null;
  } | null;
}

/** The JSON report of an evaluation. */
export interface Report extends Evaluation {
  readonly clip_names: readonly string[];
  readonly episodes: readonly {
    readonly checkpoint: string;
    readonly condition: string;
    readonly episodes: readonly Episode[];
  }[];
}

/** One side of a comparison. */
export interface Side {
  readonly evaluation: string;
  readonly checkpoint: string;
}

export interface RunEvaluationsDeps {
  readonly call: typeof call;
  readonly callBytes: typeof callBytes;
  readonly runSlow: typeof runSlow;
  readonly toast: typeof toast;
  readonly failed: typeof failed;
}

/** The evaluations of one run, and the report that is shown. */
export class RunEvaluations {
  readonly #deps: RunEvaluationsDeps;
  readonly run: string;
  readonly list: Loadable<readonly ListedEvaluation[]>;
  /** name of the shown evaluation; null: the form for a new one */
  readonly shown = signal<string | null>(null);
  readonly report: Loadable<Report | null>;

  constructor(run: string, deps: RunEvaluationsDeps) {
    this.#deps = deps;
    this.run = run;
    this.list = new Loadable(async () => (await deps.call('GET /api/evaluations', { query: { run } })).evaluations);
    this.report = new Loadable(() => this.#readReport());
  }

  /** Shows an evaluation; null: the form for a new one. */
  readonly show = (name: string | null): void => {
    this.shown.value = name;
    this.report.set(null);
    if (name !== null) void this.report.refresh();
  };

  /** Starts an evaluation and shows it. @throws the service's error */
  readonly start = async (body: Omit<EvaluateBody, 'run'>): Promise<void> => {
    const { evaluation } = await this.#deps.call('POST /api/evaluate', { body: { run: this.run, ...body } });
    await this.list.refresh();
    this.show(evaluation);
  };

  /** @throws the service's error */
  readonly remove = async (name: string): Promise<void> => {
    await this.#deps.call('DELETE /api/evaluations/{name}', { params: { name } });
    if (this.shown.peek() === name) this.show(null);
    await this.list.refresh();
  };

  /** Returns the differences b − a. @throws the service's error, such as the fields that differ */
  readonly compare = async (a: Side, b: Side): Promise<readonly Difference[]> => {
    const query = { a: a.evaluation, b: b.evaluation, a_checkpoint: a.checkpoint, b_checkpoint: b.checkpoint };
    return (await this.#deps.call('GET /api/evaluations/compare', { query })).differences;
  };

  /** Plays a row of the table of clips, from one second before its failure. @returns whether the session plays */
  readonly playWorst = (evaluation: string, row: number): Promise<boolean> =>
    this.#deps.runSlow('The failure could not be played', () =>
      this.#deps.call('POST /api/play/worst', { body: { evaluation, row } }),
    );

  /** Makes a dataset of the failed stretches. @returns whether it was made */
  readonly makeDataset = async (
    name: string,
    body: { readonly dataset: string; readonly below: number; readonly margin_s: number },
  ): Promise<boolean> => {
    const made = await this.#deps.runSlow('The dataset could not be made', () =>
      this.#deps.call('POST /api/evaluations/{name}/dataset', { params: { name }, body }),
    );
    if (made) this.#deps.toast('ok', `Dataset ${body.dataset} made of the failed stretches`);
    return made;
  };

  async #readReport(): Promise<Report | null> {
    const name = this.shown.peek();
    if (name === null) return null;
    const query = { format: 'json' as const };
    const bytes = await this.#deps.callBytes('GET /api/evaluations/{name}/report', { params: { name }, query });
    return JSON.parse(new TextDecoder().decode(bytes)) as Report;
  }
}
