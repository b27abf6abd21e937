import type { NamedType } from './named-types.ts';
import type { SdkOperation } from './operations.ts';
import type { SecurityScheme } from './security.ts';

/**
 * A description as every target sees it: references followed, names taken apart into words, styles and defaults filled in. It is plain
 * data, and whatever a target needs to know is in it: targets never look at the document.
 */
export interface SdkModel {
  readonly title: string;
  /** Version of the API, as the description has it. Any text. */
  readonly version: string;
  readonly description: string | undefined;
  /** The licence of the API, not of the client. */
  readonly license: { readonly name: string; readonly url: string | undefined } | undefined;
  /** An absolute address without a slash at its end, where the description or the caller knows one. */
  readonly baseUrl: string | undefined;
  /** In the order of their keys. Never empty: a description without schemes has a bearer token and a key in `X-API-Key`. */
  readonly schemes: readonly SecurityScheme[];
  /** In the order in which they were met. The words of two types are never alike, whatever the casing. */
  readonly types: readonly NamedType[];
  /** In the order of the description. The words of two operations are never alike, whatever the casing. */
  readonly operations: readonly SdkOperation[];
}
