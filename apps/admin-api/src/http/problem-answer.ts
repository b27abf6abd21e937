import type { Log } from '../logging.ts';
import type { OperationOutput } from './operation.ts';
import { Problem, problemStatuses } from './problem.ts';

/** Where the kinds of problems are described. */
const typePrefix = 'https://portcullis.dev/problems/';

/**
 * The answer to anything that was thrown. A {@link Problem} says what its maker meant the caller to read; anything else
 * is a bug or a broken part, is logged with its stack, and leaves as `internal`. Source: wire contract, Errors.
 */
export function problemAnswer(thrown: unknown, requestId: string, log: Log): OperationOutput {
  const problem = thrown instanceof Problem ? thrown : unexpected(thrown, requestId, log);
  return {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
    body: problemBody(problem, requestId),
  };
}

/** The document that says what went wrong. */
export function problemBody(
  problem: Pick<Problem, 'code' | 'detail' | 'errors'>,
  requestId: string,
): Readonly<Record<string, unknown>> {
  const words = problem.code.replaceAll('_', ' ');
  return {
    type: `${typePrefix}${problem.code.replaceAll('_', '-')}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status: problemStatuses[problem.code],
    detail: problem.detail,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors.length > 0 && { errors: problem.errors }),
  };
}

/** Codes of errors that say that a part is out of reach or overloaded, not broken; they are worth another try. */
const passingCodes: ReadonlySet<unknown> = new Set(['database_unavailable', 'hash_queue_full']);

function unexpected(thrown: unknown, requestId: string, log: Log): Problem {
  const isPassing = thrown instanceof Error && 'code' in thrown && passingCodes.has(thrown.code);
  if (isPassing) {
    log.warn({ err: thrown, request_id: requestId }, 'a part is not available');
    return new Problem('unavailable', 'The service cannot do this just now', { headers: { 'retry-after': '2' } });
  }
  log.error({ err: thrown, request_id: requestId }, 'request failed');
  return new Problem('internal', 'Something went wrong on our side; the request ID finds it in our log');
}
