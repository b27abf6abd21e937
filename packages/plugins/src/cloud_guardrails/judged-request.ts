import { hasTokenIds, requestTexts } from '@portcullis/ai-router';
import type { Exchange, HeaderEdit, HookResult, PluginServices, RequestEdits } from '@portcullis/plugin-runtime';
import type { BodyFault } from '../shared/bodies/body-problems.ts';
import { contentTypeMatcher } from '../shared/bodies/content-types.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import { guardFigures } from '../shared/chat/guard-figures.ts';
import { readChatRequest, rewrittenRequest, type ReadChatRequest } from '../shared/chat/chat-request.ts';
import { requestFault } from '../shared/chat/request-fault.ts';
import { TEXTS_MAX, textGroups } from '../shared/chat/text-groups.ts';
import type { Config } from './config.ts';
import { lengthOf, UNAVAILABLE, type TextJudge, type TextSource } from './text-judge.ts';
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
    const read = textsOf(await readChatRequest(exchange, reading, 'chat'));
    if (read === undefined) return undefined;
    if (typeof read === 'string') return requestFault(exchange, read);
    const { texts, isAmbiguous } = read;
    if (texts === 'tokens') return aiRefusal(exchange, TOKENS);
    if (texts === undefined || lengthOf(texts) > JUDGED_LENGTH_MAX) return aiRefusal(exchange, TOO_LONG);
    let chat: ReadChatRequest;
    const again: TextSource = async () => {
      chat = await readChatRequest(exchange, reading, 'chat');
      return (typeof chat === 'object' ? textGroups(requestTexts(chat.body)) : undefined) ?? [];
    };
    const outcome = await judge(exchange, 'INPUT', texts, again, signal);
    if (outcome === 'unavailable') return aiRefusal(exchange, UNAVAILABLE);
    if (outcome === 'blocked') {
      figures.blocked();
      return aiRefusal(exchange, { status, ...BLOCKED });
    }
    if (outcome === 'noted') return { responseHeaders: NOTED };
    if (outcome === 'masked') figures.masked();
    // Who reads a name that stands twice otherwise must not read what was not judged.
    else if (isAmbiguous) await again();
    return typeof chat === 'object' ? rewrittenRequest(chat) : undefined;
  };
}

/** What is kept of a request while it is judged: of its body the texts alone, see {@link TextSource}. */
interface ReadTexts {
  /** `undefined` for too many. */
  readonly texts: readonly string[] | 'tokens' | undefined;
  readonly isAmbiguous: boolean;
}

function textsOf(chat: ReadChatRequest): ReadTexts | BodyFault | undefined {
  if (typeof chat !== 'object') return chat === 'other' ? 'malformed' : chat;
  const { body, isAmbiguous } = chat;
  if (hasTokenIds(body)) return { texts: 'tokens', isAmbiguous };
  return { texts: textGroups(requestTexts(body))?.map(({ text }) => text), isAmbiguous };
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
