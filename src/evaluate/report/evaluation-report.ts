import { reportHtml } from './html/report-html.ts';
import { reportCsv } from './report-csv.ts';
import type { ReportData } from './report-data.ts';

/** Format of a report. */
export type ReportFormat = 'html' | 'json' | 'csv';

/** Formats an evaluation. The JSON report contains the evaluation and, in addition, `episodes` with the episodes of
 *  every checkpoint and condition. */
export function evaluationReport(data: ReportData, format: ReportFormat): string {
  switch (format) {
    case 'html':
      return reportHtml(data);
    case 'csv':
      return reportCsv(data);
    case 'json':
      return `${JSON.stringify({ ...data.evaluation, clip_names: data.clips, episodes: data.groups })}\n`;
  }
}
