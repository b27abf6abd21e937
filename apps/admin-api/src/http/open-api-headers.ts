import { takesIfMatch } from './open-api-failures.ts';
import type { JsonSchema } from './open-api-schemas.ts';
import type { Operation, ResponseDescription, ResponseHeader } from './operation.ts';
import { idempotencyKeyLengthMax, takesIdempotencyKey } from './idempotency-key.ts';
import { requestIdForm } from './request-id.ts';

/** Headers of answers, as components. */
export const headerComponents: Readonly<Record<string, JsonSchema>> = {
  RequestId: header('The request by this ID in logs and audit records; the given `X-Request-ID`, or a new one', {
    type: 'string',
    pattern: requestIdForm.source,
  }),
  Etag: header("The record's revision in quotes, for `If-Match`", { type: 'string', examples: ['"3"'] }),
  TotalCount: header('How many records there are, on all pages', { type: 'integer', minimum: 0 }),
  Link: header('The next and previous pages (RFC 8288)', { type: 'string' }),
  IdempotencyReplayed: header('`true` when this is the first answer again', { type: 'string', const: 'true' }),
  RetryAfter: header('Seconds after which another try makes sense', { type: 'string', pattern: '^[0-9]+$' }),
};

/** Headers of requests, as components. */
export const headerParameterComponents: Readonly<Record<string, JsonSchema>> = {
  RequestIdHeader: parameter('X-Request-ID', {
    description:
      'An ID of the caller’s own, for correlation; without credentials or personal data. One of another form is ' +
      'replaced by a new one.',
    schema: { type: 'string', examples: ['deploy-42'] },
  }),
  IfMatch: parameter('If-Match', {
    description: 'Refuse with 412 unless the record is at this revision: its `ETag`, or `*` for any record that exists',
    schema: { type: 'string', examples: ['"3"'] },
  }),
  IdempotencyKey: parameter('Idempotency-Key', {
    description:
      'Makes a repetition harmless: for 24 hours a second request with this key gets the first answer again, and another ' +
      'request with it is 422. Per tenant.',
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLengthMax, pattern: '^[\\x21-\\x7e]+$' },
  }),
};

const responseHeaderComponents: Readonly<Record<ResponseHeader, readonly [name: string, component: string]>> = {
  etag: ['ETag', 'Etag'],
  'x-total-count': ['X-Total-Count', 'TotalCount'],
  link: ['Link', 'Link'],
  'idempotency-replayed': ['Idempotency-Replayed', 'IdempotencyReplayed'],
};

/** References to the header parameters that an operation takes. */
export function headerParametersOf(operation: Operation): readonly JsonSchema[] {
  const names = [
    ...(takesIfMatch(operation) ? ['IfMatch'] : []),
    ...(takesIdempotencyKey(operation) ? ['IdempotencyKey'] : []),
    'RequestIdHeader',
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The headers of one answer. */
export function responseHeaders(operation: Operation, response: ResponseDescription): JsonSchema {
  const declared = response.headers ?? [];
  const all: readonly ResponseHeader[] = takesIdempotencyKey(operation)
    ? [...declared, 'idempotency-replayed']
    : declared;
  const entries = all.map((name) => responseHeaderComponents[name]);
  return Object.fromEntries(
    [...entries, ['X-Request-ID', 'RequestId'] as const].map(([name, component]) => [
      name,
      { $ref: `#/components/headers/${component}` },
    ]),
  );
}

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema };
}

function parameter(name: string, rest: { readonly description: string; readonly schema: JsonSchema }): JsonSchema {
  return { name, in: 'header', required: false, ...rest };
}
