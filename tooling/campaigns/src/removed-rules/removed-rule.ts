import type { Rule } from './rules.ts';

/** Variable by which a run of tests hears which rule is out. */
export const REMOVED_RULE = 'PORTCULLIS_REMOVED_RULE';

/**
 * The source without the rule.
 * @throws Error where the rule is not in the source: it has to be written as it stands there
 */
export function withoutRule({ file, from, to }: Pick<Rule, 'file' | 'from' | 'to'>, source: string): string {
  if (!source.includes(from)) throw new Error(`${file} has no ${from}`);
  return source.replaceAll(from, to);
}
