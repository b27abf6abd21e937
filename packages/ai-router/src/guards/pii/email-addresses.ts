import type { TextRange } from '../text-range.ts';

/** Longest local part. Source: RFC 5321, 4.5.3.1. Quoted ones are not looked for. */
const LOCAL_LENGTH_MAX = 64;
const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
const EDGE = /[\p{L}\p{N}]/u;
const DOMAIN = /(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/uy;

/** Addresses such as `name@example.org`: whatever stands before a name, the name is found. */
export function emailRanges(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    DOMAIN.lastIndex = at + 1;
    if (!DOMAIN.test(text)) continue;
    const start = localStart(text, at);
    if (start < at) ranges.push({ start, end: DOMAIN.lastIndex });
  }
  return ranges;
}

/** Where the name before an `@` begins: marks at its front are the sentence's. */
function localStart(text: string, at: number): number {
  const leastStart = Math.max(0, at - LOCAL_LENGTH_MAX);
  let start = at;
  while (start > leastStart && LOCAL.test(text.charAt(start - 1))) start -= 1;
  while (start < at && !EDGE.test(text.charAt(start))) start += 1;
  return start;
}
