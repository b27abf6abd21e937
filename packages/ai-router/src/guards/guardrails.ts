import { piiFinder, piiTypes, type PiiType } from './pii/pii-finder.ts';
import { termFinder } from './terms.ts';
import { textGuard, type GuardAction, type GuardRule, type TextGuard } from './text-guard.ts';
import type { TextFinder } from './text-range.ts';

/** What stands in the place of what was found. */
export const MASK_DEFAULT = '[redacted]';

/** What is looked for in texts of one direction. */
export interface GuardTexts {
  readonly terms?: readonly string[] | undefined;
  /** Regular expressions, compiled by whoever reads the config: their time must be linear in the text. */
  readonly patterns?: readonly TextFinder[] | undefined;
  /** Kinds of personal data. */
  readonly pii?: readonly PiiType[] | undefined;
}

/** A guard of requests or answers as a config says it. */
export interface GuardConfig extends GuardTexts {
  readonly action: GuardAction;
  /** Default {@link MASK_DEFAULT}. */
  readonly mask?: string | undefined;
  /** Of terms. Default `false`. */
  readonly isCaseSensitive?: boolean | undefined;
}

/** Makes a guard; `undefined` when there is nothing to look for. */
export function compileGuard(config: GuardConfig): TextGuard | undefined {
  const { terms = [], patterns = [], pii = [] } = config;
  const rules: GuardRule[] = [];
  if (terms.length > 0) {
    rules.push({ reason: 'blocked_term', finder: termFinder(terms, config.isCaseSensitive === true) });
  }
  for (const finder of patterns) rules.push({ reason: 'blocked_pattern', finder });
  for (const type of new Set(pii)) rules.push({ reason: `pii_${type}`, finder: piiFinder(type) });
  return rules.length === 0 ? undefined : textGuard(rules, config.action, config.mask ?? MASK_DEFAULT);
}

/** The kinds that a config means: those that it names, or all of them. */
export function piiTypesOf(isOn: boolean, named: readonly PiiType[] | undefined): readonly PiiType[] {
  if (!isOn) return [];
  return named === undefined || named.length === 0 ? piiTypes : named;
}
