import type { Words } from '../names/words.ts';
import type { TypeRef } from './type-refs.ts';

/** One method of the client. */
export interface SdkOperation {
  /** Where it stands in the description. */
  readonly pointer: string;
  readonly words: Words;
  /** In upper case. */
  readonly method: string;
  /** Literals as they are written (escaped already), and places of path parameters. Begins with a literal that begins with a slash. */
  readonly path: readonly PathPart[];
  /** The template as it is written, for people. */
  readonly pathTemplate: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  /** Required ones first, else in the order of the description. */
  readonly parameters: readonly SdkParameter[];
  readonly body: SdkBody | undefined;
  readonly result: SdkResult;
  /** Answers that are errors, by status: `404`, `4XX`, `default`. For documentation: clients raise one error type for all. */
  readonly errors: readonly { readonly status: string; readonly description: string | undefined }[];
  /**
   * Alternatives, each a list of keys of schemes that are sent together. The client takes the first one for which it has everything, and
   * sends none where it has nothing. Empty: nothing is ever sent.
   */
  readonly security: readonly (readonly string[])[];
}

/** A piece of a path. A value is escaped wholly (`encodeURIComponent`); where `isGreedy`, slashes stay. */
export type PathPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'parameter'; readonly wireName: string; readonly isGreedy: boolean };

/**
 * How a value stands in its place. Source: OpenAPI 3.1, Style Values.
 * - `simple` in paths and headers, `form` in queries and cookies, `spaceDelimited`, `pipeDelimited` and `deepObject` in queries.
 * - `json`: one JSON text.
 *
 * Null, and a list or an object with nothing in it, is left out wherever it stands but in JSON. What is in an object may be an object or a
 * list again, which the specification leaves open. In a `deepObject` brackets go on, `a[b][c]=1`, and the items of a list repeat their
 * name, `a[b]=1&a[b]=2`. In an exploded `form` a list repeats its name, too; all else that is in something is one JSON text.
 *
 * A cookie has the pairs of a query, each as a cookie of its own: `a=1; a=2`.
 */
export type ParameterStyle = 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

/** A parameter in the address or a header. */
export interface SdkParameter {
  readonly wireName: string;
  /** Unique in the operation, whatever the casing, and never `body`, `options` or `request`. */
  readonly words: Words;
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  /** A text, number, boolean, date, enum, or list of those; an object or a map with `deepObject` and `form`; any with `json`. */
  readonly type: TypeRef;
  readonly isRequired: boolean;
  readonly style: ParameterStyle;
  /** Lists: `a=1&a=2` instead of `a=1,2`. */
  readonly isExploded: boolean;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
}

/** What an operation sends. Where the description offers several media types, the first of JSON, multipart, form, text, binary. */
export interface SdkBody {
  readonly kind: 'json' | 'multipart' | 'form' | 'text' | 'binary';
  /** Sent as `Content-Type`; a multipart boundary comes to it. */
  readonly mediaType: string;
  /** `string` for text, `binary` for binary, a named object with `isForm` for both forms, and any but `binary` for JSON. */
  readonly type: TypeRef;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

/** What an operation gives back when it went well (200 to 299). */
export interface SdkResult {
  readonly kind: 'none' | 'json' | 'text' | 'binary';
  /** Nothing for `none`. */
  readonly type: TypeRef | undefined;
  /** Sent as `Accept`. Nothing for `none`. */
  readonly mediaType: string | undefined;
  /** Whether a good answer may have no body (204 is among its statuses): the method then gives null. */
  readonly mayBeEmpty: boolean;
}
