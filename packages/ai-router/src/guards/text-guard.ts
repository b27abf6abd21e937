import { plainText } from './plain-text.ts';
import type { PiiType } from './pii/pii-finder.ts';
import { masked, type TextFinder, type TextRange } from './text-range.ts';

/** What a guard does with a text in which it finds something. */
export type GuardAction = 'block' | 'mask';

/** Why a text was stopped or changed. */
export type GuardReason = 'blocked_term' | 'blocked_pattern' | `pii_${PiiType}`;

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
      const found = search(rules, text);
      if (found !== undefined) return verdict(text, found, action, mask);
      const plain = plainText(text);
      const hidden = plain === text ? undefined : search(rules, plain);
      return hidden === undefined ? PASS : verdict(plain, hidden, action, mask);
    },
  };
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

function verdict(text: string, { reasons, ranges }: Found, action: GuardAction, mask: string): GuardVerdict {
  if (action === 'block') return { action, reasons };
  return { action, reasons, text: masked(text, ranges, mask) };
}
