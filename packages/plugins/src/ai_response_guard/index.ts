import { compileGuard, judgeTexts, piiTypesOf, type TextGuard } from '@portcullis/ai-router';
import type { HookResult, PluginHooks, ResponseEdits, ResponseExchange } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import { guardFigures } from '../shared/chat/guard-figures.ts';
import {
  answerReading,
  passedAnswer,
  readAnswer,
  rewrittenAnswer,
  unjudgedAnswer,
} from '../shared/chat/read-answer.ts';
import { patternFinders } from '../shared/guard-fields.ts';
import { config, looksForPii, patternsOf, termsOf, type Config } from './config.ts';

/** Lets no answer of a model pass that holds what it must not. */
export const aiResponseGuard: BuiltIn = builtIn({
  name: 'ai_response_guard',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['after_response'],
  description: 'Blocks or masks words, patterns and personal data in answers, those of streams too',
  config,
  setup(given, services): PluginHooks {
    const { clock, log } = services;
    const figures = guardFigures(services);
    const guards = guardsOf(given, () => clock.monotonicMs());
    const reading = answerReading(given.content_types, given.max_body_bytes);
    const blocked = { status: given.status_code, code: 'content_blocked', message: given.message };
    const judge = async (exchange: ResponseExchange): Promise<HookResult<ResponseEdits>> => {
      const answer = await readAnswer(exchange, reading);
      if (answer === undefined) return undefined;
      if (typeof answer === 'string') return unjudgedAnswer(exchange, { log, figures }, answer);
      const { document } = answer;
      const verdict = judgeTexts(guards, document.places());
      if (verdict === 'too_long') return unjudgedAnswer(exchange, { log, figures }, 'too_large');
      if (verdict === 'pass') return passedAnswer(exchange, answer);
      // Streams of responses tell each text several times over, in pieces and whole: to mask one would leave the others.
      if (verdict === 'blocked' || (document.isStream && document.form === 'responses')) {
        figures.blocked();
        log.debug('blocked an answer', { request_id: exchange.facts.requestId });
        return aiRefusal(exchange, blocked, exchange.response.headers, document.form);
      }
      figures.masked();
      document.dropRepetitions();
      return rewrittenAnswer(exchange, answer);
    };
    // What the gateway says of its own holds nothing of a model.
    return { response: (exchange) => (exchange.response.source === 'gateway' ? undefined : judge(exchange)) };
  },
});

function guardsOf(given: Config, monotonicMs: () => number): readonly TextGuard[] {
  const { action, mask, case_sensitive: isCaseSensitive } = given;
  const guard = compileGuard({
    action,
    mask,
    isCaseSensitive,
    terms: termsOf(given),
    patterns: patternFinders(patternsOf(given), isCaseSensitive, monotonicMs),
    pii: piiTypesOf(looksForPii(given), given.pii_types),
  });
  return guard === undefined ? [] : [guard];
}
