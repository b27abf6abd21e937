import type { Rule } from './rule.ts';

/** Variable by which a run of tests hears which rule is out. */
export const REMOVED_RULE = 'PORTCULLIS_REMOVED_RULE';

/**
 * The source of a file without the rule.
 * @param file from the root of the repository
 * @throws Error where the rule is not in the source: it has to be written as it stands there
 */
export function withoutRule({ edits }: Pick<Rule, 'edits'>, file: string, source: string): string {
  let text = source;
  for (const edit of edits.filter((one) => one.file === file)) {
    if (!text.includes(edit.from)) throw new Error(`${file} has no ${edit.from}`);
    // As a function: texts of sources hold `$`.
    text = text.replaceAll(edit.from, () => edit.to);
  }
  return text;
}
