import type { FieldProblem } from '../http/problem.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { withValuesAt } from './json-pointer.ts';
import { isEqualJson, type Values } from './values.ts';

/** Where secrets are sent, as `FamilyBehaviour.secretDestinations` says it. */
export type SecretDestinations = (values: Values) => (pointer: string) => unknown;

/** The secrets that a write keeps, beside those that are stored. Pointers go before plain texts. */
export interface KeptSecrets {
  readonly stored: StoredRecord;
  readonly live: ReadonlyMap<string, string>;
  readonly kept: ReadonlyMap<string, unknown>;
}

/**
 * Refuses kept secrets that would be sent elsewhere than where they were given for: who may write, but not read a secret, would have it sent to
 * a server of the own. Source: ADR 0066.
 * @param values with all secrets in their places
 */
export function ledAwaySecrets(
  destinations: SecretDestinations,
  values: Values,
  { stored, live, kept }: KeptSecrets,
): readonly FieldProblem[] {
  return ledAway({ before: destinations(withValuesAt(stored.body, live)), now: destinations(values) }, live, kept);
}

/** The same where destinations are known, and masks may stand for secrets: equal ones for equal secrets. */
export function ledAway(
  { before, now }: Readonly<Record<'before' | 'now', ReturnType<SecretDestinations>>>,
  live: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, unknown>,
): readonly FieldProblem[] {
  const places = new Map<string, string[]>();
  for (const [pointer, secret] of live) {
    const known = places.get(secret);
    if (known) known.push(pointer);
    else places.set(secret, [pointer]);
  }
  return [...kept].flatMap(([pointer, secret]) => {
    // What is kept as a hash is sent nowhere.
    if (typeof secret !== 'string') return [];
    const wanted = now(pointer);
    const isKnown = (places.get(secret) ?? []).some((place) => isEqualJson(before(place), wanted));
    const message = 'has to be sent again, because it would go elsewhere than before';
    return isKnown ? [] : [{ pointer, code: 'secret_required', message }];
  });
}
