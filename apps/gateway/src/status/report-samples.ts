import type { MetricList } from './metrics.ts';
import type { Sample } from './metric-samples.ts';

/** The metric of reports that the control plane did not take. */
export const failedReports = {
  name: 'gateway_reports_failed_total',
  help: 'Reports that the control plane did not take',
} as const;

/** Its values. */
export function failedReportSamples(failed: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(failed).map(([report, value]) => ({
    labels: { report },
    value,
    metricName: failedReports.name,
  }));
}

/** The same of a process that has no other metrics, to be added up with those of its workers. */
export function failedReportList(failed: Readonly<Record<string, number>>): MetricList {
  const values = failedReportSamples(failed);
  return [{ ...failedReports, type: 'counter', aggregator: 'sum', values }] as never;
}
