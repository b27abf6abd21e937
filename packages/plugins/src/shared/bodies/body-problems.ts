import type { Exchange, PluginResponse, PluginServices } from '@portcullis/plugin-runtime';
import { problemAnswer, type Problem, type ProblemAnswer } from '../problem.ts';
import { warningTimes } from '../warning-times.ts';
import type { BodyProblem } from './readable-body.ts';

/** Whose body it is. */
export type BodySide = 'request' | 'response';

/**
 * What can be wrong with a body: it cannot be read, is not in its form (`malformed`), has too many values or levels (`too_complex`), or means
 * one thing to one reader and another to the next (`ambiguous`).
 */
export type BodyFault = BodyProblem | 'malformed' | 'too_complex' | 'ambiguous';

/**
 * What a plugin does with a body that it should have read and could not: answers with a problem, or says it to the operator and lets the
 * body go on as it came (`undefined`).
 */
export type BodyFaultPolicy = (exchange: Exchange, side: BodySide, fault: BodyFault) => PluginResponse | undefined;

/** The answers to such bodies. A response's faults are the upstream's and no client's business: one answer for all. */
export type FaultAnswers = (side: BodySide, fault: BodyFault) => ProblemAnswer;

/** @param form what bodies have to be, for the details: `JSON` */
export function faultAnswers(form: string): FaultAnswers {
  const { request, response } = problems(form);
  const requests = new Map(Object.entries(request).map(([fault, problem]) => [fault, problemAnswer(problem)]));
  const toResponse = problemAnswer(response);
  return (side, fault) => (side === 'response' ? toResponse : (requests.get(fault) ?? toResponse));
}

function problems(form: string): { request: Readonly<Record<BodyFault, Problem>>; response: Problem } {
  const large = { status: 413, code: 'body_too_large', title: 'Body too large' };
  const unsupported = { status: 415, code: 'unsupported_media_type', title: 'Unsupported media type' };
  const malformed = { status: 400, code: 'malformed_body', title: 'Malformed body' };
  return {
    request: {
      too_large: { ...large, detail: 'The body is too large' },
      too_complex: { ...large, detail: 'The body has too many values or levels' },
      encoding: { ...unsupported, detail: 'The body may be coded with gzip, br, deflate or zstd, and only once' },
      charset: { ...unsupported, detail: 'The body has to be UTF-8' },
      types: { ...malformed, detail: 'The request has several content types' },
      broken: { ...malformed, detail: 'The body is not coded as content-encoding says' },
      not_utf8: { ...malformed, detail: 'The body is not UTF-8' },
      ambiguous: { ...malformed, detail: 'The body has an object with a name twice' },
      malformed: { ...malformed, detail: `The body is not well-formed ${form}` },
    },
    response: {
      status: 502,
      code: 'upstream_body_unreadable',
      title: 'Bad gateway',
      detail: "The answer's body could not be read",
    },
  };
}

/**
 * The usual policy of plugins that change bodies. Each fault is counted, and a line at level `debug`; bodies that go on as they came are a warning, at
 * most one a minute, because a client can send any number of them.
 * @param isStrict whether such bodies are answered instead of passed on
 * @param form as for {@link faultAnswers}
 */
export function faultPolicy(
  { log, clock, metrics }: Pick<PluginServices, 'log' | 'clock' | 'metrics'>,
  isStrict: boolean,
  form: string,
): BodyFaultPolicy {
  const answerOf = faultAnswers(form);
  const isWarningDue = warningTimes(() => clock.monotonicMs());
  const faults = isStrict
    ? metrics.counter('bodies_refused', 'Bodies that could not be read and were refused')
    : metrics.counter('bodies_unchanged', 'Bodies that could not be read and went on unchanged');
  return (exchange, side, fault) => {
    const details = { side, reason: fault, request_id: exchange.facts.requestId };
    faults.add(1);
    if (isStrict) {
      log.debug('refused a body that could not be changed', details);
      return answerOf(side, fault)(exchange);
    }
    if (isWarningDue()) log.warn('a body went on unchanged: it could not be read', details);
    else log.debug('a body went on unchanged: it could not be read', details);
    return undefined;
  };
}
