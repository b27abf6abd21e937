import { isRedactionMask, redactionMask } from '@portcullis/bundle-diff';
import { isWellFormedReference } from '@portcullis/plugins';
import type { Family } from '@portcullis/resources';
import { secretFields } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
import type { TenantSecrets } from '../secrets/tenant-secrets.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import { toPointer, valueAt, withValuesAt } from './json-pointer.ts';
import type { Values } from './values.ts';

/** Pointers of all secret strings in a record's values. A reference to a secret, where gateways take them, is none. */
export function secretPointersOf(family: Family, behaviour: FamilyBehaviour | undefined, values: Values): string[] {
  const whole = secretFields(family);
  const further = behaviour?.secretPointers?.(values) ?? [];
  // Most families have none, and this is asked of every record of a bundle more than once.
  if (whole.length === 0 && further.length === 0) return [];
  const pointers = [...whole.map((name) => toPointer([name])), ...further];
  return pointers.filter((pointer) => {
    const value = valueAt(values, pointer);
    return typeof value === 'string' && !(behaviour?.takesReferences === true && isWellFormedReference(value));
  });
}

/** The record that secrets belong to; sealed values open for it alone. */
export interface SecretOwner {
  readonly family: string;
  readonly id: string;
}

/** A record's secrets as plain text by pointer. */
export function openSecrets(secrets: TenantSecrets, record: StoredRecord): Map<string, string> {
  const { family, id } = record;
  return new Map(
    Object.entries(record.secrets).map(([pointer, sealed]) => [pointer, secrets.open({ family, id, pointer }, sealed)]),
  );
}

/** A record's values with its secrets in their places. For gateways only. */
export function revealedBody(secrets: TenantSecrets, record: StoredRecord): Values {
  return withValuesAt(record.body, openSecrets(secrets, record));
}

/** Where a record may hold masks, and which of those secrets are kept as a hash only: pointer → hidden field with the hash. */
export interface MaskedPlaces {
  readonly pointers: readonly string[];
  readonly hashed: Readonly<Record<string, string>>;
}

/**
 * Puts the live secret where a mask was sent back. A mask with a digest finds its secret wherever it stood before, so that
 * lists may be reordered; a bare mask keeps what stood in the same place. Source: security rules, masked re-import.
 * @returns also what was put back: where it goes is to be looked at once the rest is known to be valid
 */
export function restoreMasks(
  secrets: TenantSecrets,
  values: Values,
  { pointers, hashed }: MaskedPlaces,
  stored: StoredRecord | undefined,
): { readonly values: Values; readonly problems: readonly FieldProblem[]; readonly kept?: KeptSecrets } {
  const masked = pointers.filter((pointer) => isRedactionMask(valueAt(values, pointer)));
  if (masked.length === 0) return { values, problems: [] };
  const live = stored ? openSecrets(secrets, stored) : new Map<string, string>();
  const byMask = new Map([...live.values()].map((secret) => [secrets.maskOf(secret), secret]));
  const restored = new Map<string, unknown>();
  const problems: FieldProblem[] = [];
  for (const pointer of masked) {
    const mask = String(valueAt(values, pointer));
    const secret = mask === redactionMask ? live.get(pointer) : byMask.get(mask);
    const isKeptAsHash = mask === redactionMask && stored?.body[hashed[pointer] ?? ''] !== undefined;
    // What is stored as a hash cannot be put back, and need not be: a field that is not sent stays as it is.
    if (secret !== undefined || isKeptAsHash) restored.set(pointer, secret);
    else problems.push({ pointer, code: 'secret_required', message: 'is a mask with no stored secret behind it' });
  }
  return {
    values: withValuesAt(values, restored),
    problems,
    ...(stored && { kept: { stored, live, kept: restored } }),
  };
}

/** Splits a body into what is stored openly (masks in place of secrets) and the sealed secrets. */
export function sealSecrets(
  secrets: TenantSecrets,
  owner: SecretOwner,
  body: Values,
  pointers: readonly string[],
): { readonly body: Values; readonly sealed: Readonly<Record<string, string>> } {
  const masks = new Map<string, string>();
  const sealed: Record<string, string> = {};
  for (const pointer of pointers) {
    const plain = valueAt(body, pointer);
    if (typeof plain !== 'string') continue;
    masks.set(pointer, secrets.maskOf(plain));
    sealed[pointer] = secrets.seal({ ...owner, pointer }, plain);
  }
  return { body: withValuesAt(body, masks), sealed };
}
