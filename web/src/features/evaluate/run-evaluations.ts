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

/** An episode of a report. Its times are frames at the control rate. */
export interface Episode {
  /** index of the clip in `clip_names` */
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

/** One of the two sides of a comparison. */
export interface Side {
  readonly evaluation: string;
  readonly checkpoint: string;
}

/** Returns the index of a side; 0 if its evaluation was deleted. */
export function sideIndex(sides: readonly Side[], side: Side | undefined): number {
  const at = sides.findIndex((one) => one.evaluation === side?.evaluation && one.checkpoint === side.checkpoint);
  return Math.max(0, at);
}

export interface RunEvaluationsDeps {
  readonly call: typeof call;
  readonly callBytes: typeof callBytes;
  readonly runSlow: typeof runSlow;
  readonly toast: typeof toast;
  readonly failed: typeof failed;
}

/** The evaluations of one run, and the report that is shown in the dialog. */
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

  /** Shows an evaluation, or the form for a new one if the name is null. */
  readonly show = (name: string | null): void => {
    this.shown.value = name;
    this.report.set(null);
    if (name !== null) void this.report.refresh();
  };

  /** Starts an evaluation and shows it. @throws Error with the service's message */
  readonly start = async (body: Omit<EvaluateBody, 'run'>): Promise<void> => {
    const { evaluation } = await this.#deps.call('POST /api/evaluate', { body: { run: this.run, ...body } });
    await this.list.refresh();
    this.show(evaluation);
  };

  /** Deletes an evaluation. @throws Error with the service's message */
  readonly remove = async (name: string): Promise<void> => {
    await this.#deps.call('DELETE /api/evaluations/{name}', { params: { name } });
    if (this.shown.peek() === name) this.show(null);
    await this.list.refresh();
  };

  /** Returns the differences b − a. @throws Error with the service's message, for example which fields of the two
   *  protocols differ */
  readonly compare = async (a: Side, b: Side): Promise<readonly Difference[]> => {
    const query = { a: a.evaluation, b: b.evaluation, a_checkpoint: a.checkpoint, b_checkpoint: b.checkpoint };
    return (await this.#deps.call('GET /api/evaluations/compare', { query })).differences;
  };

  /** Plays the failure in a row of the table of clips, beginning one second before the failure. @returns true if the
   *  session plays it */
  readonly playWorst = (evaluation: string, row: number): Promise<boolean> =>
    this.#deps.runSlow('The failure could not be played', () =>
      this.#deps.call('POST /api/play/worst', { body: { evaluation, row } }),
    );

  /** Creates a dataset from the parts of clips around failures. @returns true if it was created */
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
    if (this.shown.peek() !== name) return null; // another evaluation was chosen, and its report is read next
    return JSON.parse(new TextDecoder().decode(bytes)) as Report;
  }
}
