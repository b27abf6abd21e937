import type { Exchange, PluginResponse } from '@portcullis/plugin-runtime';
import type { BodyFault } from '../bodies/body-problems.ts';
import { aiRefusal } from './ai-refusal.ts';
import type { ChatRequest, ReadChatRequest } from './chat-request.ts';

/** The answer to a request whose body cannot be read: it must not pass unread. */
export function requestFault(exchange: Exchange, fault: BodyFault): PluginResponse {
  return aiRefusal(exchange, { code: 'invalid_request_error', ...(ANSWERS.get(fault) ?? MALFORMED) });
}

/**
 * The same where JSON that is none goes on as it is: whoever answers refuses it.
 * @param chat what came of reading a request in place of one
 */
export function unreadRequest(
  exchange: Exchange,
  chat: Exclude<ReadChatRequest, ChatRequest>,
): PluginResponse | undefined {
  if (chat === undefined || chat === 'other' || chat === 'malformed') return undefined;
  return requestFault(exchange, chat);
}

const CODING = { status: 415, message: 'The body may be coded with gzip, br, deflate or zstd, and only once' } as const;

const MALFORMED = { status: 400, message: 'The body is not a JSON object of at most 64 levels' } as const;

const ANSWERS: ReadonlyMap<BodyFault, { readonly status: number; readonly message: string }> = new Map([
  ['too_large', { status: 413, message: 'The body is too large' }],
  ['encoding', CODING],
  ['too_complex', { status: 413, message: 'The body has too many values or levels' }],
  ['charset', { status: 415, message: 'The body has to be UTF-8' }],
  ['types', { status: 400, message: 'The request has several content types' }],
  ['broken', { status: 400, message: 'The body is not coded as content-encoding says' }],
  ['not_utf8', { status: 400, message: 'The body is not UTF-8' }],
]);
