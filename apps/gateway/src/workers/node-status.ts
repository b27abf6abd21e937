import { AggregatorRegistry } from 'prom-client';
import type { ReportLog } from '../control-plane/report-log.ts';
import { failedReportList } from '../status/report-samples.ts';
import { jsonAnswer, type StatusAnswer } from '../status/status-pages.ts';
import type { EndedCounts } from './ended-counts.ts';
import { readyTimeoutMs, type WorkerCrew } from './worker-crew.ts';

/** What the status port of a node tells of. */
export interface NodeParts {
  readonly crew: WorkerCrew;
  readonly ended: EndedCounts;
  readonly reports: Pick<ReportLog, 'failed'>;
  readonly isStopping: () => boolean;
}

/**
 * The status port of a node of several workers: alive while the first process is, ready when every worker there is ready,
 * metrics added up. Other pages are those of the first worker.
 */
export async function nodeStatus(node: NodeParts, method: string, target: string): Promise<StatusAnswer> {
  const { crew, isStopping } = node;
  const path = target.split('?')[0];
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && path === '/health') return jsonAnswer(200, { status: 'ok', workers: crew.listening.length });
  if (isRead && path === '/metrics') return metricsOf(node);
  const slots = crew.listening;
  const [first] = slots;
  const unready = jsonAnswer(503, { status: 'not_ready' });
  if (first === undefined || (path === '/ready' && isStopping())) return unready;
  if (path !== '/ready') return (await crew.page(first, method, target)) ?? unready;
  const answers = await Promise.all(slots.map((slot) => crew.page(slot, method, target, readyTimeoutMs)));
  if (answers.includes(undefined)) return unready;
  return answers.find((answer) => answer?.status !== 200) ?? answers[0] ?? unready;
}

async function metricsOf({ crew, ended, reports }: NodeParts): Promise<StatusAnswer> {
  const asked = crew.listening.map(async (slot) => {
    const list = await crew.metrics(slot);
    if (list === undefined) return ended.last(slot);
    ended.note(slot, list);
    return list;
  });
  const given = (await Promise.all(asked)).filter((list) => list !== undefined);
  const registry = AggregatorRegistry.aggregate([...given, ended.list(), failedReportList(reports.failed)]);
  const body = await registry.metrics();
  return { status: 200, headers: { 'content-type': registry.contentType }, body };
}
