/** How deep objects and lists of a token may stand in each other. */
export const JSON_DEPTH_MAX = 32;

/**
 * Parses JSON that must mean the same to every reader: strict UTF-8, no byte order mark, no name twice in one object, bounded depth.
 * Source: RFC 7515, section 4 (names of a header are unique); RFC 7519, section 4 (so are those of claims).
 * @returns the object, or `undefined` for anything else
 */
export function parseUniqueJson(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = utf8.decode(bytes);
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return isUnique(json) ? (parsed as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** With `ignoreBOM` the mark stays in the text, where JSON does not allow it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Looks at a text that is known to be JSON: there, a string before a colon is a name, and brackets outside strings match. */
function isUnique(json: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, name] of json.matchAll(/("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (name !== undefined) {
      // Compared as they read: "alg" may be written with escapes.
      const read: unknown = JSON.parse(name);
      const names = open.at(-1);
      if (names?.has(read) === true) return false;
      names?.add(read);
    } else if (token === '{' || token === '[') {
      if (open.push(new Set()) > JSON_DEPTH_MAX) return false;
    } else if (token === '}' || token === ']') open.pop();
  }
  return true;
}
