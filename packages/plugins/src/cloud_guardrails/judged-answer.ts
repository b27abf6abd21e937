import type { HookResult, PluginServices, ResponseEdits, ResponseExchange } from '@portcullis/plugin-runtime';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import { guardFigures } from '../shared/chat/guard-figures.ts';
import type { ServiceFailures } from '../shared/chat/open-failures.ts';
import {
  ANSWER_TYPES,
  answerReading,
  passedAnswer,
  readAnswer,
  rewrittenAnswer,
  unjudgedAnswer,
  type AnswerFault,
} from '../shared/chat/read-answer.ts';
import { textGroups } from '../shared/chat/text-groups.ts';
import type { Config } from './config.ts';
import { NOTED } from './judged-request.ts';
import { lengthOf, UNAVAILABLE, type TextJudge } from './text-judge.ts';
import { JUDGED_LENGTH_MAX } from './text-pieces.ts';

/** Has all texts of answers judged before a client sees them. @param failures the rule of `fail_open` */
export function answerJudge(
  { status_code: status, max_body_bytes: bytesMax, fail_open: failsOpen }: Config,
  judge: TextJudge,
  failures: ServiceFailures,
  services: PluginServices,
): (exchange: ResponseExchange, signal: AbortSignal) => Promise<HookResult<ResponseEdits>> {
  const reading = answerReading(ANSWER_TYPES, bytesMax);
  const figures = guardFigures(services);
  const unjudged = (exchange: ResponseExchange, fault: AnswerFault): HookResult<ResponseEdits> => {
    if (!failsOpen) return unjudgedAnswer(exchange, { log: services.log, figures }, fault);
    failures.unjudged(exchange, `answer_${fault}`);
    return undefined;
  };
  return async (exchange, signal) => {
    const answer = await readAnswer(exchange, reading);
    if (answer === undefined) return undefined;
    if (typeof answer === 'string') return unjudged(exchange, answer);
    const { document } = answer;
    const groups = textGroups(document.places());
    const texts = groups?.map(({ text }) => text);
    if (groups === undefined || texts === undefined || lengthOf(texts) > JUDGED_LENGTH_MAX) {
      return unjudged(exchange, 'too_large');
    }
    const outcome = await judge(exchange, 'OUTPUT', texts, () => groups, signal);
    if (outcome === 'unavailable') {
      return aiRefusal(exchange, UNAVAILABLE, exchange.response.headers, document.form);
    }
    if (outcome === 'noted') return { headers: NOTED };
    if (outcome === 'pass') return passedAnswer(exchange, answer);
    // Streams of responses tell each text several times over, in pieces and whole: to mask one would leave the others.
    if (outcome === 'blocked' || (document.isStream && document.form === 'responses')) {
      figures.blocked();
      return aiRefusal(exchange, { status, ...BLOCKED }, exchange.response.headers, document.form);
    }
    figures.masked();
    document.dropRepetitions();
    return rewrittenAnswer(exchange, answer);
  };
}

const BLOCKED = { code: 'content_blocked', message: 'The answer was blocked by a guardrail' } as const;
