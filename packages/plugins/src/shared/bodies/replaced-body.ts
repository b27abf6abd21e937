import type { HeaderEdit, HeaderView, RequestEdits, ResponseEdits } from '@portcullis/plugin-runtime';
import { encodedBody, type BodyEncoding } from './body-coding.ts';

/** Edits that put another body in place, for a request or a response. */
export type ReplacedBody = Pick<RequestEdits & ResponseEdits, 'headers' | 'body' | 'bodyEncoding'>;

/** What speaks of the bytes of the body that was there. Sources: RFC 9530; RFC 3230; RFC 1864; RFC 9110, 14.3. */
const DIGESTS: readonly HeaderEdit[] = Object.freeze(
  ['content-digest', 'repr-digest', 'digest', 'content-md5', 'accept-ranges'].map((name): HeaderEdit =>
    Object.freeze({ op: 'remove', name }),
  ),
);

/**
 * A constant list of edits with those before it that a replaced body needs. Made once in `setup`: the runtime then checks it once.
 * @param headers the plugin's own, applied last; frozen through and through as `headerEdits` gives them
 */
export function withoutDigests(headers: readonly HeaderEdit[] = []): readonly HeaderEdit[] {
  return Object.freeze([...DIGESTS, ...headers]);
}

/**
 * The edits for a new text of a body, coded as the old one was.
 * @param encoding of the body that was read
 * @param headers of {@link withoutDigests}
 */
export async function replacedBody(
  text: string,
  encoding: BodyEncoding | undefined,
  headers: readonly HeaderEdit[] = DIGESTS,
): Promise<ReplacedBody> {
  if (encoding === undefined) return { body: text, headers };
  return { body: await encodedBody(text, encoding), bodyEncoding: encoding, headers };
}

/**
 * As {@link replacedBody}, for a response: a strong validator of the old bytes becomes a weak one, as when a proxy recodes. Source: RFC
 * 9110, 8.8.1.
 */
export async function replacedAnswer(
  view: HeaderView,
  text: string,
  encoding: BodyEncoding | undefined,
  headers: readonly HeaderEdit[] = DIGESTS,
): Promise<ReplacedBody> {
  // Before the plugin's own edits, which may set the field.
  return replacedBody(text, encoding, [...weakTag(view), ...headers]);
}

/**
 * The edits of an answer that speaks of such a body and has none, to `HEAD` or with status 304: what it says of length and digests would be
 * that of the old body.
 */
export function answerWithoutBody(view: HeaderView, headers: readonly HeaderEdit[] = DIGESTS): ReplacedBody {
  return { headers: [{ op: 'remove', name: 'content-length' }, ...weakTag(view), ...headers] };
}

function weakTag(view: HeaderView): readonly HeaderEdit[] {
  const tag = view.get('etag');
  const isStrong = tag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag);
  return isStrong ? [{ op: 'set', name: 'etag', value: `W/${tag}` }] : [];
}
