import type { Awaitable, Exchange, PluginServices } from '@portcullis/plugin-runtime';
import type { ServiceFailures } from '../shared/chat/open-failures.ts';
import type { TextGroup } from '../shared/chat/text-groups.ts';
import type { Config } from './config.ts';
import { cloudGuardrail, type GuardrailSource } from './guardrail.ts';

/** What becomes of texts: those that are masked are so in place; `noted` ones go on, and the client is told; nobody judged `unavailable` ones, and they must not go on. */
export type TextsOutcome = 'pass' | 'noted' | 'masked' | 'blocked' | 'unavailable';

/** What was read of a message: its texts, so that they can be changed in place. */
export type TextSource = () => Awaitable<readonly TextGroup[]>;

/**
 * Judges the texts of one message.
 * @param again reads the message once more, where something in it is masked: parsed, it takes many times the memory of what a client sent, and
 * is not kept while the guardrail takes its time
 */
export type TextJudge = (
  exchange: Exchange,
  source: GuardrailSource,
  texts: readonly string[],
  again: TextSource,
  signal: AbortSignal,
) => Promise<TextsOutcome>;

/** Makes a judge by the config's `action`. @param failures the rule of `fail_open` */
export function textJudge(given: Config, services: PluginServices, failures: ServiceFailures): TextJudge {
  const guardrail = cloudGuardrail(given, services);
  const { action } = given;
  return async (exchange, source, texts, again, signal) => {
    if (texts.length === 0) return 'pass';
    const verdict = await failures.ask(exchange, () => guardrail(source, texts, signal));
    if (verdict === 'refused') return 'unavailable';
    if (verdict === 'goes_on' || verdict.action === 'pass') return 'pass';
    services.log.debug('the guardrail intervened', { source, request_id: exchange.facts.requestId });
    if (action === 'annotate') return 'noted';
    if (verdict.action === 'blocked' || action === 'block') return 'blocked';
    const groups = await again();
    return groups.every((group, index) => group.replace(verdict.texts[index] ?? '')) ? 'masked' : 'blocked';
  };
}

/** Characters of texts together. */
export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** The answer to who sent or waits for an `unavailable` text. */
export const UNAVAILABLE = Object.freeze({
  status: 503,
  code: 'guardrail_unavailable',
  message: 'The guardrail cannot be asked now, and nothing goes on unjudged',
} as const);
