import { reportHtml } from './html/report-html.ts';
import { reportCsv } from './report-csv.ts';
import type { ReportData } from './report-data.ts';

/** Formats of a report. */
export const REPORT_FORMATS = ['html', 'json', 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Formats an evaluation. JSON has the evaluation and, beyond it, `episodes` of every checkpoint and condition. */
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
