import type { AdminProblem } from '@portcullis/admin-client';
import { CommandFailure } from '../failure.ts';

/** What is said of a write of which nobody knows whether it was carried out. */
export const doubtAfterWrite = '; it may have been carried out: run gwctl diff or gwctl get';

/** Failures after which nobody knows what the server did with the request. */
const unknownOutcomes: ReadonlySet<string> = new Set(['timeout', 'connection_failed', 'invalid_response']);

/**
 * A failed request as people should read it: what is wrong, where, and what to do about it.
 * @param wasWrite whether it was to change something: without an answer, it may have
 */
export function problemFailure(problem: AdminProblem, wasWrite = false): CommandFailure {
  const hint = hints[problem.status === 401 ? 'unauthenticated' : problem.code] ?? '';
  const wait = problem.retryAfterSeconds === null ? '' : ` (wait ${problem.retryAfterSeconds} seconds)`;
  const lines = problem.errors.map(({ pointer, message, code }) => `  ${pointer || '/'} ${message} (${code})`);
  if (problem.requestId !== null && problem.status !== null && problem.status >= 500) {
    lines.push(`  request ID ${problem.requestId}`);
  }
  const status = problem.status === null ? '' : `${problem.status} `;
  const doubt = wasWrite && unknownOutcomes.has(problem.code) ? doubtAfterWrite : '';
  return new CommandFailure(`${status}${problem.detail}${hint}${wait}${doubt}`, lines);
}

const hints: Readonly<Record<string, string>> = {
  unauthenticated: ' (run gwctl login again, or give another --token)',
  tenant_required: ' (give --tenant-id, or log in with one)',
};
