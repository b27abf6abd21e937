import type { Exchange, PluginLog, PluginResponse } from '@portcullis/plugin-runtime';

/** What a problem answer says. */
export interface Problem {
  readonly status: number;
  /** Stable, for programs: `unauthenticated`, `rate_limited`… Source: wire, Errors. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

/**
 * Answers a request with the problem and the request's ID.
 * @param headers more headers of this answer, name and value by turns
 */
export type ProblemAnswer = (exchange: Exchange, headers?: readonly string[]) => PluginResponse;

/**
 * Makes `application/problem+json` answers like the gateway's own. Made once in `setup`: an answer costs its request's ID,
 * a request that is not refused costs nothing.
 * @param headers more headers of every answer, name and value by turns
 */
export function problemAnswer(problem: Problem, headers: readonly string[] = []): ProblemAnswer {
  const { status, code, title, detail } = problem;
  const said = JSON.stringify({ type: problemType(code), title, status, detail, code }).slice(0, -1);
  const fixed = ['content-type', 'application/problem+json', ...headers];
  return ({ facts }, more) => ({
    status,
    headers: more === undefined ? fixed : [...fixed, ...more],
    body: `${said},"request_id":${JSON.stringify(facts.requestId)}}`,
  });
}

/**
 * A refusal that the operator can have explained.
 * @param reason for the operator alone, a few words in snake_case such as `unknown_key`; never what the client presented
 */
export type Refusal = (exchange: Exchange, reason: string) => PluginResponse;

/**
 * Makes an answer a refusal: it says at level `debug` why, and with it which request. Clients learn no more than the answer says.
 * @param log of the instance
 */
export function refusal(log: PluginLog, answer: ProblemAnswer): Refusal {
  return (exchange, reason) => {
    log.debug('refused a request', { reason, request_id: exchange.facts.requestId });
    return answer(exchange);
  };
}

/**
 * Makes answers for clients that may try again in a second.
 * @param detail what there is too much of
 */
export function busyAnswer(detail: string): ProblemAnswer {
  const problem = {
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests',
    detail: `${detail}; try again later`,
  };
  return problemAnswer(problem, ['retry-after', '1']);
}

/** The documentation address of a code. */
function problemType(code: string): string {
  return `https://portcullis.dev/problems/${code.replaceAll('_', '-')}`;
}
