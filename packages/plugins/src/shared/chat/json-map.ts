import * as v from 'valibot';
import { ENTRIES_MAX, text } from '../config-fields.ts';

const NAME_LENGTH_MAX = 128;

/** Bytes of JSON that such a map may be. */
const MAP_BYTES_MAX = 65_536;

/**
 * A map from name to any JSON value.
 * @param refused names that it may not hold, with the reason
 */
export function jsonMap(description: string, refused: ReadonlySet<string> = new Set(), reason = '') {
  const name = v.pipe(
    text('A name', NAME_LENGTH_MAX),
    v.check((given) => given !== '__proto__' && !refused.has(given), reason || 'is no name'),
  );
  return v.optional(
    v.pipe(
      v.record(name, v.unknown(), 'must be a map from name to JSON value'),
      v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.check((map) => bytesOf(map) <= MAP_BYTES_MAX, `must be JSON of at most ${MAP_BYTES_MAX} bytes`),
      v.description(description),
    ),
  );
}

/** Writing recurses: what exhausts the stack has no size that would do. */
function bytesOf(map: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(map));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
