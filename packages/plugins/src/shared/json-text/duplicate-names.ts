const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Whether a JSON object somewhere in a text has a name twice. Which of the two counts differs between parsers: what was checked would not be
 * what the service reads. Source: RFC 8259, 4.
 * @param text that was parsed without a mistake
 * @param value what came of it, nested no deeper than the stack
 */
export function hasDuplicateNames(text: string, value: unknown): boolean {
  return colonsIn(text) > membersIn(value);
}

/** Each member has one colon outside of strings, and nothing else has. */
function colonsIn(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) colons += 1;
    else if (code === QUOTE) at = stringEnd(text, at);
  }
  return colons;
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

function membersIn(value: unknown): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (typeof item === 'object') members += membersIn(item);
    return members;
  }
  if (typeof value !== 'object' || value === null) return 0;
  // Lists of keys or values would be made for each object of each body.
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    members += typeof inner === 'object' ? 1 + membersIn(inner) : 1;
  }
  return members;
}
