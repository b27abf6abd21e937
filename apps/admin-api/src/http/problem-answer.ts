import type { OperationOutput } from './operation.ts';
import type { Problem } from './problem.ts';

/** Where the kinds of problems are described. */
const typePrefix = 'https://portcullis.dev/problems/';

/** The answer to a request that failed. Source: wire contract, Errors. */
export function problemAnswer(problem: Problem, requestId: string): OperationOutput {
  return {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
    body: problemBody(problem, requestId),
  };
}

/** The document that says what went wrong. */
export function problemBody(
  problem: Pick<Problem, 'code' | 'detail' | 'errors' | 'status'>,
  requestId: string,
): Readonly<Record<string, unknown>> {
  const words = problem.code.replaceAll('_', ' ');
  return {
    type: `${typePrefix}${problem.code.replaceAll('_', '-')}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors.length > 0 && { errors: problem.errors }),
  };
}
