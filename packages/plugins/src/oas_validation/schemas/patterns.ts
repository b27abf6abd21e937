import { RE2JS } from 're2js';

/** Most instructions that one pattern may be compiled to, and all patterns of a description together. Names and IDs take about a hundred. */
export const PATTERN_COST_MAX = 2000;
export const PATTERNS_COST_MAX = 50_000;

/** Longest pattern, in characters. Source: security, ReDoS. */
export const PATTERN_LENGTH_MAX = 1000;

/** Whether a pattern is found in a text, in time that is linear in the text. */
export interface SafePattern {
  test(text: string): boolean;
  /** Unlike that of any other pattern: Ajv tells patterns apart by it. */
  toString(): string;
}

/** Compiles a pattern of a schema; `undefined` for one that RE2 does not know, such as look-around. */
export function safePattern(pattern: string): (SafePattern & { readonly cost: number }) | undefined {
  if (pattern.length > PATTERN_LENGTH_MAX) return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const cost = compiled.programSize();
    return { cost, test: (text) => compiled.matcher(text).find(), toString: () => `re2:${pattern}` };
  } catch {
    return undefined;
  }
}
