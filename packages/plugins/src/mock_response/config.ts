import * as v from 'valibot';
import { bodilessStatuses } from '../shared/bodiless.ts';
import { configObject, flag, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule } from '../shared/config-rules.ts';

/** Longest body, in bytes as it is sent. */
export const BODY_BYTES_MAX = 262_144;

const fields = configObject({
  body: v.pipe(
    v.unknown(),
    v.check((body) => bytesOf(body) <= BODY_BYTES_MAX, `must be JSON of at most ${BODY_BYTES_MAX} bytes`),
    v.description('What is sent: a text as it is, as plain text; any other JSON as JSON'),
  ),
  enabled: v.optional(flag('Whether requests are answered; else they go on as if the plugin were not there'), true),
  status_code: v.optional(wholeNumber('Status of the answer', 200, 599), 200),
});

/** Config of `mock_response`. */
export const config = crossFieldRule(fields, ({ body, status_code: status }) =>
  bodilessStatuses.has(status) && body !== ''
    ? [{ field: 'body', message: `must be the empty text: an answer with status ${status} has no body` }]
    : [],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

/** The text that is sent for a body. */
export function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}

/** Writing recurses: what exhausts the stack has no size that would do. */
function bytesOf(body: unknown): number {
  try {
    return Buffer.byteLength(bodyText(body));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
