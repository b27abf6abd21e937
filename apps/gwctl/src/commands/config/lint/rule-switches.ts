import { CommandFailure } from '../../../failure.ts';
import { readInputFile, recordOf } from '../../../input-file.ts';
import type { RuleSwitches } from './lint-bundle.ts';
import { severities } from './rule.ts';
import type { LintRule } from './rule.ts';

const values: readonly unknown[] = [...severities, 'off'];

/** Reads `rules: {ID: off|info|warning|error}`. @throws CommandFailure for what names no rule or no severity */
export async function readRuleSwitches(file: string, rules: readonly LintRule[]): Promise<RuleSwitches> {
  const input = await readInputFile(file);
  const { rules: switches, ...others } = recordOf(input);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new CommandFailure(`${file}: /${other} is not known: only rules is`);
  if (typeof switches !== 'object' || switches === null || Array.isArray(switches)) {
    throw new CommandFailure(`${file}: /rules must hold rules and their severities`);
  }
  for (const [id, severity] of Object.entries(switches)) {
    if (!rules.some((rule) => rule.id === id)) {
      throw new CommandFailure(`${file}: /rules/${id} is no rule (gwctl config lint --list-rules)`);
    }
    if (!values.includes(severity))
      throw new CommandFailure(`${file}: /rules/${id} must be one of ${values.join(', ')}`);
  }
  return switches as RuleSwitches;
}
