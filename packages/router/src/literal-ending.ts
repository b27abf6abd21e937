/** What of an expression matches more than the characters that it is written with, or ends where it does not seem to. */
const notTakenApart = /\\[^\p{P}\p{S}dDwWsS]|\(\?(?!:|P?<[A-Za-z_])|\[[^\]]*\[|\[\^?\]/u;
const quantifiers = '*+?{';

/**
 * The characters that every match of an expression ends with, where the path must end with them too: what stands between
 * the last group, class or repetition and the final `$`. Empty when nothing is certain. A path that ends otherwise need not
 * be matched at all, so expressions that differ in their endings only cost a comparison each.
 * @param expression without alternatives outside of groups
 */
export function literalEnding(expression: string): string {
  if (!expression.endsWith('$') || notTakenApart.test(expression)) return '';
  let text = '';
  for (let at = 0; at < expression.length - 1; at += 1) {
    let character = expression.charAt(at);
    let isLiteral = !/[.^$|?*+()[\]{}]/.test(character);
    if (character === '\\') {
      at += 1;
      character = expression.charAt(at);
      // The final dollar sign may be an escaped one.
      if (at === expression.length - 1) return '';
      isLiteral = !/[A-Za-z0-9]/.test(character);
    } else if (character === '(') at = groupEnd(expression, at);
    else if (character === '[') at = classEnd(expression, at);
    else if (character === '{') at = Math.max(at, expression.indexOf('}', at));
    else if (character === '$') return '';
    text = isLiteral && !quantifiers.includes(expression.charAt(at + 1)) ? text + character : '';
  }
  return text;
}

function classEnd(expression: string, start: number): number {
  for (let at = start + 1; at < expression.length; at += 1) {
    if (expression.charAt(at) === '\\') at += 1;
    else if (expression.charAt(at) === ']') return at;
  }
  return expression.length;
}

function groupEnd(expression: string, start: number): number {
  let depth = 0;
  for (let at = start; at < expression.length; at += 1) {
    const character = expression.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '[') at = classEnd(expression, at);
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return expression.length;
}
