import { plainText } from './plain-text.ts';
import type { PiiType } from './pii/pii-finder.ts';
import { masked, type TextFinder, type TextRange } from './text-range.ts';

/** What a guard does with a text in which it finds something. */
export type GuardAction = 'block' | 'mask';

/**
 * Characters of a text that are judged; a longer one is blocked, because nobody waits for its end, and nobody knows what is in it. A million is
 * more than the context of most models, and some tenths of a second at worst.
 */
export const GUARD_TEXT_LENGTH_MAX: number = 1024 * 1024;

/** Why a text was stopped or changed. */
export type GuardReason = 'blocked_term' | 'blocked_pattern' | 'too_long' | `pii_${PiiType}`;

/** What is looked for, and why. */
export interface GuardRule {
  readonly reason: GuardReason;
  readonly finder: TextFinder;
}

/** What becomes of a text. The reasons never hold any of it. */
export type GuardVerdict =
  | { readonly action: 'pass' }
  | { readonly action: 'block'; readonly reasons: readonly GuardReason[] }
  | { readonly action: 'mask'; readonly reasons: readonly GuardReason[]; readonly text: string };

const TOO_LONG: GuardVerdict = Object.freeze({ action: 'block', reasons: Object.freeze(['too_long'] as const) });
const PASS: GuardVerdict = Object.freeze({ action: 'pass' });

/** Judges texts. */
export interface TextGuard {
  judge(text: string): GuardVerdict;
}

/**
 * Makes a guard of rules. A text is searched as it is, and, when that finds nothing and its plain form is another, in that form: a word
 * in full-width letters is the same word. What is masked then is the plain form.
 */
export function textGuard(rules: readonly GuardRule[], action: GuardAction, mask: string): TextGuard {
  return {
    judge(text) {
      if (text.length > GUARD_TEXT_LENGTH_MAX) return TOO_LONG;
      const verdict = judgeBy(rules, action, mask, text);
      if (verdict.action !== 'pass') return verdict;
      // Some characters are eighteen in their plain form.
      const plain = plainText(text);
      if (plain.length > GUARD_TEXT_LENGTH_MAX) return TOO_LONG;
      return plain === text ? PASS : judgeBy(rules, action, mask, plain);
    },
  };
}

function judgeBy(rules: readonly GuardRule[], action: GuardAction, mask: string, text: string): GuardVerdict {
  if (action === 'mask') {
    const found = search(rules, text);
    return found === undefined ? PASS : { action, reasons: found.reasons, text: masked(text, found.ranges, mask) };
  }
  // The first that is found decides.
  const first = rules.find(({ finder }) => finder.isIn?.(text) ?? finder.rangesIn(text).length > 0);
  return first === undefined ? PASS : { action, reasons: [first.reason] };
}

interface Found {
  readonly reasons: readonly GuardReason[];
  readonly ranges: readonly TextRange[];
}

function search(rules: readonly GuardRule[], text: string): Found | undefined {
  const reasons: GuardReason[] = [];
  const ranges: TextRange[] = [];
  for (const { reason, finder } of rules) {
    const own = finder.rangesIn(text);
    if (own.length === 0) continue;
    if (!reasons.includes(reason)) reasons.push(reason);
    for (const range of own) ranges.push(range);
  }
  return reasons.length === 0 ? undefined : { reasons, ranges };
}
