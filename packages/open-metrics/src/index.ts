export { negotiateMetrics, type MetricsFormat } from './negotiate-metrics.ts';
export { toOpenMetrics } from './to-open-metrics.ts';
