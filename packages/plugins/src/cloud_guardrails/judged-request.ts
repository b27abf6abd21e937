import { hasTokenIds, requestTexts } from '@portcullis/ai-router';
import type { Exchange, HeaderEdit, HookResult, PluginServices, RequestEdits } from '@portcullis/plugin-runtime';
import { contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import { guardFigures } from '../shared/chat/guard-figures.ts';
import { readChatRequest, rewrittenRequest } from '../shared/chat/chat-request.ts';
import { requestFault } from '../shared/chat/request-fault.ts';
import { TEXTS_MAX, textGroups } from '../shared/chat/text-groups.ts';
import type { Config } from './config.ts';
import { lengthOf, UNAVAILABLE, type TextJudge } from './text-judge.ts';
import { JUDGED_LENGTH_MAX } from './text-pieces.ts';

/** Has all texts of requests judged before a model sees them. */
export function requestJudge(
  { status_code: status, max_body_bytes: bytesMax }: Config,
  judge: TextJudge,
  services: PluginServices,
): (exchange: Exchange, signal: AbortSignal) => Promise<HookResult<RequestEdits>> {
  const reading = { matches: contentTypeMatcher(['*/*']), bytesMax, readsStreams: true };
  const figures = guardFigures(services);
  return async (exchange, signal) => {
    const chat = await readChatRequest(exchange, reading, 'chat');
    if (chat === undefined) return undefined;
    if (typeof chat !== 'object') return requestFault(exchange, chat === 'other' ? 'malformed' : chat);
    if (hasTokenIds(chat.body)) return aiRefusal(exchange, TOKENS);
    const groups = textGroups(requestTexts(chat.body));
    if (groups === undefined || lengthOf(groups) > JUDGED_LENGTH_MAX) return aiRefusal(exchange, TOO_LONG);
    const outcome = await judge(exchange, 'INPUT', groups, signal);
    if (outcome === 'unavailable') return aiRefusal(exchange, UNAVAILABLE);
    if (outcome === 'blocked') {
      figures.blocked();
      return aiRefusal(exchange, { status, ...BLOCKED });
    }
    if (outcome === 'masked') figures.masked();
    if (outcome === 'noted') return { responseHeaders: NOTED };
    // Who reads a name that stands twice otherwise must not read what was not judged.
    return outcome === 'masked' || chat.isAmbiguous ? rewrittenRequest(chat) : undefined;
  };
}

/** Tells the client that a guardrail intervened in what goes on all the same. */
export const NOTED: readonly HeaderEdit[] = Object.freeze([
  Object.freeze({ op: 'set', name: 'x-gateway-ai-guardrail', value: 'intervened' } as const),
]);

const BLOCKED = { code: 'content_blocked', message: 'The prompt was blocked by a guardrail' } as const;
const TOKENS = {
  status: 400,
  code: 'invalid_request_error',
  message: 'Prompts and inputs must be text here, and no token numbers: guardrails cannot read those',
} as const;
const TOO_LONG = {
  status: 413,
  code: 'request_too_large',
  message: `The request has more text than guardrails judge: ${JUDGED_LENGTH_MAX} characters, ${TEXTS_MAX} texts`,
} as const;
