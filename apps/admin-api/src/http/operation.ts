import type { GenericSchema } from 'valibot';
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts';
import type { Principal } from '../identity/principal.ts';
import type { PackedFields } from './packed-fields.ts';

/** What may be asked of the caller before a handler runs. */
export type Access =
  /** Nobody is asked who they are (login, health). */
  | 'public'
  /** Any signed-in user, or a token with `admin:read`; with `admin:write` as well where the method is not GET. */
  | 'read'
  /** Any signed-in user; a token counts as no credential (audit log). Source: spec, Authentication, 3. */
  | 'session'
  /** A writer, an admin, or a token with `admin:write`. */
  | 'write'
  /** An admin, a super admin, or a token with `admin:write`; not a writer (users, tokens, teams, tenants). See ADR 0010. */
  | 'administer'
  /** Only a super admin. */
  | 'super_admin'
  /** A data plane with its own token. */
  | 'data_plane';

/** A query parameter of an operation. Parameters given twice are 400 unless `repeatable`. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  /** Parses and bounds the text; `undefined` input means that the parameter was not given. */
  readonly schema: GenericSchema;
  readonly required?: boolean;
  readonly repeatable?: boolean;
}

/** A header of answers that callers rely on. Every answer has `X-Request-ID`. */
export type ResponseHeader =
  /** The record's revision. */
  | 'etag'
  /** How many records a list has in all. */
  | 'x-total-count'
  /** Where the next and previous pages of a list are; only where there are such pages. */
  | 'link'
  /** `true` when the answer is the first one again that was given under an `Idempotency-Key`. */
  | 'idempotency-replayed';

/** One possible answer of an operation, for the API description and for the tests that check answers against it. */
export interface ResponseDescription {
  readonly status: number;
  readonly description: string;
  readonly schema?: GenericSchema;
  readonly mediaType?: string;
  readonly headers?: readonly ResponseHeader[];
}

/** How a request body is read and described. */
export interface BodyDescription {
  readonly schema: GenericSchema;
  /** Largest body in bytes; default 1 MiB. More gives 413. */
  readonly bytesMax?: number;
  /** `json` (default), `json_or_yaml` for configuration documents. */
  readonly format?: 'json' | 'json_or_yaml';
  /**
   * Fields that hold long documents. Where one is sent as an object, the handler gets it as JSON text, so that nobody takes it apart on the
   * main thread.
   */
  readonly textFields?: readonly string[];
  /** Whether gzip request bodies are accepted (data-plane paths only). */
  readonly gzip?: boolean;
  /** When true the handler gets the parsed document unvalidated and validates it itself; the schema only documents. */
  readonly validatedByHandler?: boolean;
  readonly optional?: boolean;
}

/** What a handler gets. Everything in it was checked against the operation's declaration. */
export interface OperationInput {
  readonly principal: Principal;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly request: RequestContext;
}

/** The request's circumstances that handlers, audit records and logs need. */
export interface RequestContext {
  readonly requestId: string;
  /** The caller's address, as the trusted-proxy rule finds it. */
  readonly sourceIp: string;
  readonly method: string;
  /** Path as received, without the query. */
  readonly path: string;
  /** A request header by lower-case name. */
  header(name: string): string | undefined;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
  /** Given when the request has an `Idempotency-Key` and its operation takes one. Goes into write sessions with the actor. */
  readonly idempotency?: IdempotentRequest;
}

/** What a handler answers. `body` is sent as JSON (or YAML where the caller asked for it and the operation allows it). */
export interface OperationOutput {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Further fields of `body`, which is an object then: long documents that are at hand as packed JSON. */
  readonly packed?: PackedFields;
  /** A body that is sent as it is, such as an event stream or a page, with `content-type` among the headers. */
  readonly stream?: ReadableStream<Uint8Array> | string;
}

/** One operation of the administration API. Routes, validation, `/openapi.json` and tests all come from this. */
export interface Operation {
  /** Stable and unique: `listServices`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Path templates with `{parameter}` segments. A path that begins with `/admin/` is registered under `/admin` and
   * `/api/v1/admin`; any other stands as it is.
   */
  readonly paths: readonly string[];
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyDescription;
  readonly responses: readonly ResponseDescription[];
  readonly handler: (input: OperationInput) => Promise<OperationOutput>;
}
