/** What is known of a client by name: the fields of a token, of an introspection's answer, of a session, of a certificate. */
export type Claims = Readonly<Record<string, unknown>>;

/** Finds a claim. @returns `undefined` when nothing stands there */
export type ClaimReader = (claims: Claims) => unknown;

/**
 * Finds the value that a path names: `sub`, or `address.country` for a field within a field. A name that holds the dots itself comes
 * first, at each level. Only own properties are read: nothing is found under `constructor`. The names are made here, once: one path is
 * looked for in very many claims.
 */
export function claimReader(path: string): ClaimReader {
  const steps = stepsOf(path.split('.'));
  return (claims) => claimBehind(claims, steps);
}

/** A name with the steps behind it; none, where it ends the path. */
interface Step {
  readonly name: string;
  readonly next: readonly Step[];
}

/** The names that these parts may begin with, the longest first. */
function stepsOf(parts: readonly string[]): readonly Step[] {
  const from: (readonly Step[])[] = [];
  for (let start = parts.length - 1; start >= 0; start -= 1) {
    from[start] = parts
      .slice(start)
      .map((_part, index) => start + index + 1)
      .toReversed()
      .map((end) => ({ name: parts.slice(start, end).join('.'), next: from[end] ?? [] }));
  }
  return from[0] ?? [];
}

function claimBehind(claims: Claims, steps: readonly Step[]): unknown {
  for (const { name, next } of steps) {
    if (!Object.hasOwn(claims, name)) continue;
    const value = claims[name];
    if (next.length === 0) return value;
    const found = isClaims(value) ? claimBehind(value, next) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a value has named fields. */
export function isClaims(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A claim as the value of a header field: text, numbers, true and false as they are; a list of those joined with `, `.
 * What a field cannot carry in any reader's eyes is left out rather than changed: characters beyond printable ASCII (nobody could
 * tell their encoding, and a line break would begin another field), objects, and items of a list that hold a comma, because one
 * item would arrive as two.
 * @param lengthMax characters; a longer value is left out whole, since a cut one would say something else
 * @returns `undefined` when nothing is left
 */
export function claimText(value: unknown, lengthMax: number): string | undefined {
  const text = Array.isArray(value) ? listText(value, lengthMax) : scalarText(value);
  return text !== undefined && text !== '' && text.length <= lengthMax ? text : undefined;
}

function listText(items: readonly unknown[], lengthMax: number): string | undefined {
  let list = '';
  for (const item of items) {
    const text = scalarText(item);
    if (text === undefined || text === '' || text.includes(',')) continue;
    list = list === '' ? text : `${list}, ${text}`;
    if (list.length > lengthMax) return undefined;
  }
  return list;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' && PRINTABLE.test(value) ? value.trim() : undefined;
}

const PRINTABLE = /^[\x20-\x7e]*$/;
