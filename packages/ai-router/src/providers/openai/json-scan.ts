/*
 * Quick looks at the text of one JSON object, without parsing it. A quote within a string is escaped in JSON, so `"name"` is a name or a
 * whole string and never a part of one. Names that are written with escapes are not found: no provider writes them.
 */

/** Whether a member of some name may have a value other than `null`, at any depth. Errs on the side of yes. */
export function maySay(json: string, quotedName: string): boolean {
  for (let at = json.indexOf(quotedName); at !== -1; at = json.indexOf(quotedName, at + 1)) {
    let next = afterSpaces(json, at + quotedName.length);
    if (json.charCodeAt(next) !== 58) continue;
    next = afterSpaces(json, next + 1);
    if (!json.startsWith('null', next)) return true;
  }
  return false;
}

/** Characters of the strings that are members of some name, at any depth. */
export function lengthOfStrings(json: string, quotedName: string): number {
  let sum = 0;
  for (let at = json.indexOf(quotedName); at !== -1; at = json.indexOf(quotedName, at)) {
    at = afterSpaces(json, at + quotedName.length);
    if (json.charCodeAt(at) !== 58) continue;
    at = afterSpaces(json, at + 1);
    if (json.charCodeAt(at) !== 34) continue;
    const start = at + 1;
    let end = json.indexOf('"', start);
    if (end === -1) return sum;
    if (json.lastIndexOf('\\', end) < start) {
      sum += end - start;
      at = end + 1;
      continue;
    }
    end = start;
    while (end < json.length && json.charCodeAt(end) !== 34) {
      if (json.charCodeAt(end) === 92) end += json.charCodeAt(end + 1) === 117 ? 6 : 2;
      else end += 1;
      sum += 1;
    }
    at = end + 1;
  }
  return sum;
}

function afterSpaces(json: string, at: number): number {
  let next = at;
  while (json.charCodeAt(next) === 32) next += 1;
  return next;
}
