const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Where the value of a member of an object is: from `start` to before `end`. */
export interface MemberRange {
  readonly start: number;
  readonly end: number;
}

/** So many names are compared one by one: a set of a dozen costs more to make than to do without. */
const LISTED_NAMES_MAX = 16;

/**
 * Where an object's own members of some names have their values, in the bytes of JSON that is known to be a valid object: for each name its
 * place, or `undefined` for one that is not there. `undefined` for all when the bytes do not decide alone: any name that is there twice,
 * which readers understand differently, or one with an escape.
 */
export function topLevelMembers(
  json: Buffer,
  names: readonly string[],
): readonly (MemberRange | undefined)[] | undefined {
  const found: (MemberRange | undefined)[] = names.map(() => undefined);
  const listed: string[] = [];
  let seen: Set<string> | undefined;
  let at = json.indexOf(OPEN_OBJECT) + 1;
  if (at === 0) return undefined;
  while (at < json.length) {
    const nameStart = nextByte(json, at, QUOTE);
    if (nameStart === json.length) return found;
    const nameEnd = endOfString(json, nameStart);
    const name = json.toString('utf8', nameStart + 1, nameEnd);
    const start = nextByte(json, nameEnd, COLON) + 1;
    const end = endOfValue(json, start);
    if (name.includes('\\') || (seen?.has(name) ?? listed.includes(name))) return undefined;
    if (seen !== undefined) seen.add(name);
    else if (listed.push(name) > LISTED_NAMES_MAX) seen = new Set(listed);
    const index = names.indexOf(name);
    if (index !== -1) found[index] = { start, end };
    at = end + 1;
  }
  return found;
}

function nextByte(json: Buffer, from: number, byte: number): number {
  const at = json.indexOf(byte, from);
  return at === -1 ? json.length : at;
}

/** @returns where the closing quote is */
function endOfString(json: Buffer, open: number): number {
  let at = nextByte(json, open + 1, QUOTE);
  while (at < json.length && isEscaped(json, at)) at = nextByte(json, at + 1, QUOTE);
  return at;
}

/** An odd number of backslashes is before it. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at - 1;
  while (json[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** @returns the comma or bracket behind a value */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === COMMA && depth === 0) return at;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return json.length;
}
