import type { RouterError } from '../errors/router-error.ts';
import { hasTokenIds, requestTexts } from './answer-texts.ts';
import { judgeTexts } from './judge-texts.ts';
import type { ReadRequest } from './read-request.ts';
import { unjudged, unreadable } from './request-refusals.ts';
import type { RouterGuards } from './router-options.ts';

/** What guards leave of a request: its texts are judged, and masked in place. Or why it is refused. */
export function judgedRequest(guards: RouterGuards | undefined, read: ReadRequest): ReadRequest | RouterError {
  if (guards === undefined || guards.request.length === 0) return read;
  const verdict = judgeTexts(guards.request, requestTexts(read.body));
  if (verdict === 'blocked') return { code: 'content_blocked', message: guards.message, status: guards.status };
  if (verdict === 'too_long') return unjudged;
  if (hasTokenIds(read.body)) return unreadable;
  // What was judged is sent: in the client's bytes a name may stand twice, and readers differ in which of two they take.
  return { ...read, bytes: undefined };
}
