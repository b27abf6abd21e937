import { hasTokenIds, requestTexts } from '@portcullis/ai-router';
import type {
  Exchange,
  HeaderEdit,
  HookResult,
  PluginHooks,
  RequestEdits,
  ResponseEdits,
  ResponseExchange,
} from '@portcullis/plugin-runtime';
import { contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import { readChatRequest, rewrittenRequest } from '../shared/chat/chat-request.ts';
import { ServiceError } from '../shared/chat/json-service.ts';
import { serviceFailures } from '../shared/chat/open-failures.ts';
import {
  ANSWER_TYPES,
  answerReading,
  passedAnswer,
  readAnswer,
  rewrittenAnswer,
  unjudgedAnswer,
} from '../shared/chat/read-answer.ts';
import { requestFault } from '../shared/chat/request-fault.ts';
import { textGroups, type TextGroup } from '../shared/chat/text-groups.ts';
import { config } from './config.ts';
import { cloudGuardrail, type GuardrailSource } from './guardrail.ts';
import { JUDGED_LENGTH_MAX } from './text-pieces.ts';

/** Has prompts and answers judged by a guardrail of a cloud. */
export const cloudGuardrails: BuiltIn = builtIn({
  name: 'cloud_guardrails',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['both', 'request_response', 'before_request', 'after_response'],
  description: 'Has what goes to models, and what they answer, judged by a guardrail of Amazon Bedrock',
  config,
  setup(given, services): PluginHooks {
    const { action, fail_open: failsOpen, max_body_bytes: bytesMax, status_code: status } = given;
    const { log } = services;
    const guardrail = cloudGuardrail(given, services);
    const onFailure = serviceFailures(services, failsOpen, 'texts pass without the guardrail');
    const onRequest = { matches: contentTypeMatcher(['*/*']), bytesMax, readsStreams: true };
    const onAnswer = answerReading(ANSWER_TYPES, bytesMax);
    /** What becomes of texts; those that are masked are so in place then. */
    const judge = async (
      exchange: Exchange,
      source: GuardrailSource,
      groups: readonly TextGroup[],
      signal: AbortSignal,
    ): Promise<'pass' | 'noted' | 'masked' | 'blocked'> => {
      if (groups.length === 0) return 'pass';
      try {
        const verdict = await guardrail(
          source,
          groups.map(({ text }) => text),
          signal,
        );
        if (verdict.action === 'pass') return 'pass';
        log.debug('the guardrail intervened', { source, request_id: exchange.facts.requestId });
        if (action === 'annotate') return 'noted';
        if (verdict.action === 'blocked' || action === 'block') return 'blocked';
        return groups.every((group, index) => group.replace(verdict.texts[index] ?? '')) ? 'masked' : 'blocked';
      } catch (error) {
        onFailure(exchange, error);
        return 'pass';
      }
    };
    const request = async (exchange: Exchange, signal: AbortSignal): Promise<HookResult<RequestEdits>> => {
      const chat = await readChatRequest(exchange, onRequest, 'chat');
      if (chat === undefined) return undefined;
      if (typeof chat !== 'object') return requestFault(exchange, chat === 'other' ? 'malformed' : chat);
      if (hasTokenIds(chat.body)) return aiRefusal(exchange, TOKENS);
      const groups = textGroups(requestTexts(chat.body));
      if (lengthOf(groups) > JUDGED_LENGTH_MAX) return aiRefusal(exchange, TOO_LONG);
      const verdict = await judge(exchange, 'INPUT', groups, signal);
      if (verdict === 'blocked') return aiRefusal(exchange, { status, ...BLOCKED_PROMPT });
      if (verdict === 'noted') return { responseHeaders: NOTED };
      // Who reads a name that stands twice otherwise must not read what was not judged.
      return verdict === 'masked' || chat.isAmbiguous ? rewrittenRequest(chat) : undefined;
    };
    const response = async (exchange: ResponseExchange, signal: AbortSignal): Promise<HookResult<ResponseEdits>> => {
      const answer = await readAnswer(exchange, onAnswer);
      if (answer === undefined) return undefined;
      const groups = typeof answer === 'string' ? [] : textGroups(answer.document.places());
      const fault =
        typeof answer === 'string' ? answer : lengthOf(groups) > JUDGED_LENGTH_MAX ? 'too_large' : undefined;
      if (fault !== undefined || typeof answer === 'string') {
        if (!failsOpen) return unjudgedAnswer(exchange, log, fault ?? 'malformed');
        onFailure(exchange, new ServiceError('the guardrail', `answer_${fault}`));
        return undefined;
      }
      const verdict = await judge(exchange, 'OUTPUT', groups, signal);
      if (verdict === 'noted') return { headers: NOTED };
      if (verdict === 'pass') return passedAnswer(exchange, answer);
      const { document } = answer;
      // Streams of responses tell each text several times over, in pieces and whole: to mask one would leave the others.
      if (verdict === 'blocked' || (document.isStream && document.form === 'responses')) {
        return aiRefusal(exchange, { status, ...BLOCKED_ANSWER }, exchange.response.headers, document.form);
      }
      document.dropRepetitions();
      return rewrittenAnswer(exchange, answer);
    };
    return {
      request: (exchange) => (exchange.request.hasBody ? request(exchange, exchange.signal()) : undefined),
      response: (exchange) => {
        const { source, status: answered } = exchange.response;
        // What the gateway and its plugins refuse with holds nothing of a model.
        if (source === 'gateway' || (source === 'plugin' && answered >= 400)) return undefined;
        return response(exchange, exchange.signal());
      },
    };
  },
});

const BLOCKED_PROMPT = { code: 'content_blocked', message: 'The prompt was blocked by a guardrail' } as const;
const BLOCKED_ANSWER = { code: 'content_blocked', message: 'The answer was blocked by a guardrail' } as const;
const TOKENS = {
  status: 400,
  code: 'invalid_request_error',
  message: 'Prompts and inputs must be text here, and no token numbers: guardrails cannot read those',
} as const;
const TOO_LONG = {
  status: 413,
  code: 'request_too_large',
  message: `The request has more text than guardrails judge: ${JUDGED_LENGTH_MAX} characters`,
} as const;

const NOTED: readonly HeaderEdit[] = Object.freeze([
  Object.freeze({ op: 'set', name: 'x-gateway-ai-guardrail', value: 'intervened' } as const),
]);

function lengthOf(groups: readonly TextGroup[]): number {
  return groups.reduce((sum, { text }) => sum + text.length, 0);
}
