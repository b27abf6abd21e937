import { negotiateMetrics, toOpenMetrics } from '@portcullis/open-metrics';
import type { StatusAnswer } from './status-pages.ts';

/**
 * Metrics in the format that the scraper asks for; any other answer as it is. This is the last step, in the process that has the
 * connection: the processes of a node exchange metrics in one format.
 * @param accept the request's `Accept`
 */
export function negotiatedMetrics(answer: StatusAnswer, accept: string | undefined): StatusAnswer {
  const plain = negotiateMetrics(undefined);
  if (answer.headers['content-type'] !== plain.contentType) return answer;
  const format = negotiateMetrics(accept);
  const headers = { ...answer.headers, 'content-type': format.contentType, vary: 'Accept' };
  return { ...answer, headers, body: format.name === 'open_metrics' ? toOpenMetrics(answer.body) : answer.body };
}
