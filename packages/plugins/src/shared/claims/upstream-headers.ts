import type { HeaderEdit } from '@portcullis/plugin-runtime';
import { HEADER_VALUE_LENGTH_MAX } from '../config-fields.ts';
import { claimReader, claimText, type Claims } from './claim-value.ts';

/** What `upstream_headers` of a config does to a request, compiled. */
export interface UpstreamHeaders {
  /** For a client of whom nothing is known: removes every header that is named. A constant. */
  readonly removals: readonly HeaderEdit[];
  /**
   * For a client with these claims: each named header has its claim's value afterwards, or is not there at all. Frozen, so that a
   * list that is kept with what was verified is checked once.
   */
  editsFor(claims: Claims): readonly HeaderEdit[];
}

/**
 * Compiles `upstream_headers`. What the client itself sent under those names never reaches the upstream, whether its claim is
 * there or not: it would speak for itself.
 * @param claimByHeader header name → path of a claim, see {@link claimReader}; checked with `upstreamHeadersField`
 * @param hidden further headers to remove, for instance the credential's; a claim may still be written to them
 */
export function compileUpstreamHeaders(
  claimByHeader: Readonly<Record<string, string>> = {},
  hidden: readonly string[] = [],
): UpstreamHeaders {
  const entries = Object.entries(claimByHeader).map(([name, path]) => {
    return { name, read: claimReader(path), removal: removalOf(name) };
  });
  const written = new Set(entries.map(({ name }) => name.toLowerCase()));
  const hiding = hidden.filter((name) => !written.has(name.toLowerCase())).map(removalOf);
  const removals = Object.freeze([...hiding, ...entries.map(({ removal }) => removal)]);
  return {
    removals,
    editsFor(claims) {
      if (entries.length === 0) return removals;
      const edits = entries.map(({ name, read, removal }) => {
        const value = claimText(read(claims), HEADER_VALUE_LENGTH_MAX);
        return value === undefined ? removal : Object.freeze({ op: 'set', name, value } as const);
      });
      return Object.freeze([...hiding, ...edits]);
    },
  };
}

function removalOf(name: string): HeaderEdit {
  return Object.freeze({ op: 'remove', name });
}
