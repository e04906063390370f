import type { ReportFormat } from '../../evaluate/report/evaluation-report.ts';
import { REPORT_POLICY } from '../../evaluate/report/html/report-html.ts';
import type { StoredEvaluation } from '../../evaluate/report/read-report.ts';
import type { QueryOf, ReplyOf } from '../../protocol/route.ts';
import type { compareStoredEvaluations } from '../../protocol/routes/evaluations.ts';
import type { WorkPool } from '../../workers/pool/pool.ts';

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
} as const;

/** A formatted report. */
export interface FormattedReport {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** header names in lower case */
  readonly headers: Readonly<Record<string, string>>;
}

export interface EvaluationReportsDeps {
  readonly pool: WorkPool;
  /** @param field names the request's field in errors @throws bad_input for an unknown evaluation */
  evaluation(name: string, field: string): Promise<StoredEvaluation>;
}

/** Formats and compares evaluations. */
export class EvaluationReports {
  readonly #deps: EvaluationReportsDeps;

  constructor(deps: EvaluationReportsDeps) {
    this.#deps = deps;
  }

  /** Formats an evaluation. @throws bad_input for an unknown evaluation */
  async report(name: string, format: ReportFormat): Promise<FormattedReport> {
    const stored = await this.#deps.evaluation(name, 'name');
    const body = await this.#deps.pool.run('formatStored', stored, format);
    const file = `${name}.${format}`.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
    return {
      body,
      contentType: CONTENT_TYPES[format],
      headers: {
        'content-disposition': `inline; filename="${file}"`,
        'content-security-policy': `sandbox allow-scripts; ${REPORT_POLICY}`,
        'referrer-policy': 'no-referrer',
      },
    };
  }

  /** Compares two evaluations. @throws bad_input that names the differing setting if they cannot be compared */
  async compare(query: QueryOf<typeof compareStoredEvaluations>): Promise<ReplyOf<typeof compareStoredEvaluations>> {
    const { pool, evaluation } = this.#deps;
    const [a, b] = await Promise.all([evaluation(query.a, 'a'), evaluation(query.b, 'b')]);
    const differences = await pool.run(
      'compareStored',
      { ...a, checkpoint: query.a_checkpoint ?? null },
      { ...b, checkpoint: query.b_checkpoint ?? null },
    );
    return { differences };
  }
}
