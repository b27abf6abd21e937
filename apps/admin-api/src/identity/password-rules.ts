import { commonPasswords } from './common-passwords.ts';

/** Length of a password in characters. Source: security, Password hashing. */
export const passwordLengths = { min: 8, max: 128 } as const;

/**
 * What is wrong with a new password, as a message for its field. Length and guessability only: no rules about kinds of
 * characters, and nothing is cut off. Source: security, Password hashing.
 */
export function passwordWeakness(password: string): string | undefined {
  const { length } = characters(password);
  if (length < passwordLengths.min) return `must have at least ${passwordLengths.min} characters`;
  if (length > passwordLengths.max) return `must have at most ${passwordLengths.max} characters`;
  return isGuessable(password) ? 'is among the first that are guessed' : undefined;
}

/** Whether a password is on the list of common ones, or repeats or counts characters. */
function isGuessable(password: string): boolean {
  const text = password.toLowerCase();
  return commonPasswords.has(text) || isRun(text);
}

/** One step from each character to the next, all the way: `aaaaaaaa`, `12345678`, `hgfedcba`. */
function isRun(text: string): boolean {
  const codes = characters(text).map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const [first = 0] = steps;
  return Math.abs(first) <= 1 && steps.every((step) => step === first);
}

function characters(text: string): readonly string[] {
  return Array.from(text);
}
