import * as v from 'valibot';
import type { JsonSchema, SchemaCollector } from './open-api-schemas.ts';
import { takesIdempotencyKey } from './idempotency-key.ts';
import type { Operation } from './operation.ts';
import type { ProblemCode } from './problem.ts';
import { problemBody } from './problem-answer.ts';

const problemSchema = v.pipe(
  v.object({
    type: v.string(),
    title: v.string(),
    status: v.pipe(v.number(), v.integer()),
    detail: v.string(),
    code: v.pipe(v.string(), v.description('Stable; programs decide by it')),
    request_id: v.string(),
    errors: v.optional(
      v.array(
        v.object({ pointer: v.string(), code: v.string(), message: v.string(), in: v.optional(v.literal('query')) }),
      ),
    ),
  }),
  v.title('Problem'),
);

/** A failure that many operations share: its component, when it comes, and the code that its example shows. */
interface Failure {
  readonly component: string;
  readonly description: string;
  readonly code: ProblemCode;
  readonly detail: string;
}

const failures = {
  400: {
    component: 'BadRequest',
    description: 'The body, a header or a parameter is malformed, or no tenant is selected',
    code: 'tenant_required',
    detail: 'tenant_id is required',
  },
  401: {
    component: 'Unauthenticated',
    description: 'The credential is missing, expired, revoked or of the wrong kind',
    code: 'unauthenticated',
    detail: 'A bearer token is required',
  },
  403: {
    component: 'Forbidden',
    description: 'The caller may not do this, or not in this tenant',
    code: 'cross_tenant',
    detail: 'Cannot access another tenant',
  },
  404: {
    component: 'NotFound',
    description: 'There is no such record, or it belongs to somebody else',
    code: 'not_found',
    detail: 'No such record',
  },
  408: {
    component: 'RequestTimeout',
    description: 'The body arrived too slowly',
    code: 'request_timeout',
    detail: 'The body arrived too slowly',
  },
  409: {
    component: 'Conflict',
    description: 'The live state does not allow this: a duplicate, a reference, a state or a revision',
    code: 'name_exists',
    detail: 'A service of this name exists',
  },
  412: {
    component: 'PreconditionFailed',
    description: 'The record is at another revision than `If-Match` says',
    code: 'revision_conflict',
    detail: 'The record was changed meanwhile',
  },
  413: {
    component: 'BodyTooLarge',
    description: 'The body is too large',
    code: 'body_too_large',
    detail: 'The body is larger than 1048576 bytes',
  },
  415: {
    component: 'UnsupportedMediaType',
    description: 'The body has another media type or encoding than this operation takes',
    code: 'unsupported_media_type',
    detail: 'The body must be application/json in UTF-8',
  },
  422: {
    component: 'Unprocessable',
    description: 'Fields are invalid; all of them are listed',
    code: 'validation_failed',
    detail: '1 field is invalid',
  },
  429: {
    component: 'TooManyRequests',
    description: 'Too many of these at once; see `Retry-After`',
    code: 'rate_limited',
    detail: 'Too many large bundles of this tenant at once',
  },
  500: {
    component: 'Internal',
    description: 'A mistake of the service; its log knows the request ID',
    code: 'internal',
    detail: 'Something went wrong on our side; the request ID finds it in our log',
  },
  503: {
    component: 'Unavailable',
    description: 'A part of the service cannot be reached just now; see `Retry-After`',
    code: 'unavailable',
    detail: 'The service cannot do this just now',
  },
} as const satisfies Record<number, Failure>;

type FailureStatus = keyof typeof failures;

/** The statuses by which the shell and the engine may refuse an operation, beside those that it declares itself. */
export function failureStatuses(operation: Operation): readonly FailureStatus[] {
  const { access, body, method } = operation;
  const isOpen = access === 'public';
  const isWrite = method !== 'GET' && access !== 'read' && !isOpen;
  const hasRecord = operation.paths.some((path) => path.includes('{'));
  return [
    400,
    ...(isOpen ? [] : ([401] as const)),
    ...(isOpen || access === 'data_plane' ? [] : ([403] as const)),
    ...(hasRecord ? ([404] as const) : []),
    ...(body ? ([408, 413, 415] as const) : []),
    ...(isWrite ? ([409] as const) : []),
    ...(takesIfMatch(operation) ? ([412] as const) : []),
    ...(body || operation.query || takesIdempotencyKey(operation) ? ([422] as const) : []),
    // Documents of this size are worked on a few at a time.
    ...(body?.format === 'json_or_yaml' ? ([429] as const) : []),
    500,
    503,
  ];
}

/** Whether an operation changes an existing record, so that `If-Match` may guard it. */
export function takesIfMatch(operation: Operation): boolean {
  return operation.method === 'PUT' || operation.method === 'PATCH' || operation.method === 'DELETE';
}

/** What describes a failure of an operation: the shared response, or one of its own that says more. */
export function failureResponse(
  status: number,
  ownDescription: string | undefined,
  collector: SchemaCollector,
): JsonSchema {
  const shared = Object.hasOwn(failures, status) ? failures[status as FailureStatus] : undefined;
  if (shared && ownDescription === undefined) return { $ref: `#/components/responses/${shared.component}` };
  return responseOf(status, ownDescription ?? '', shared, collector);
}

/** The shared responses, by the names of their components. */
export function failureComponents(collector: SchemaCollector): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(failures).map(([status, failure]) => [
      failure.component,
      responseOf(Number(status), failure.description, failure, collector),
    ]),
  );
}

function responseOf(
  status: number,
  description: string,
  failure: Failure | undefined,
  collector: SchemaCollector,
): JsonSchema {
  const schema = collector.schemaOf(problemSchema, 'output');
  const isPassing = failure?.code === 'rate_limited' || failure?.code === 'unavailable';
  return {
    description,
    headers: {
      'X-Request-ID': { $ref: '#/components/headers/RequestId' },
      ...(isPassing && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: { 'application/problem+json': { schema, ...(failure && { example: exampleOf(status, failure) }) } },
  };
}

function exampleOf(status: number, { code, detail }: Failure): JsonSchema {
  const isAboutFields = status === 422;
  const errors = isAboutFields ? [{ pointer: '/name', code: 'min_length', message: 'must not be empty' }] : [];
  return problemBody({ code, detail, errors, status }, '0199f7a2-3c54-7d10-9b1e-5f8a4c2e6d70');
}
