import { certificateSnisMax } from '@portcullis/resources';
import { isRedactionMask } from '@portcullis/bundle-diff';
import { isSecretReference } from '@portcullis/plugins';
import type { FieldProblem } from '../http/problem.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { referenceProblems } from '../resources/secret-references.ts';
import type { Values } from '../resources/values.ts';
import { without } from '../resources/values.ts';
import { digestOf, distinguishedName, validityOf } from './certificate-details.ts';
import { readChain } from './certificate-chain.ts';
import { keyStrength } from './key-strength.ts';
import type { KeyStrength } from './key-strength.ts';
import { readPrivateKey } from './private-key.ts';
import { setServerNames } from './set-server-names.ts';
import { namesOfReferrers } from '../store/names-of-referrers.ts';

const dayMs = 86_400_000;

/** Certificates show what is in them, and their keys must fit. Source: wire contract, Certificates, consumers, vaults. */
export const certificateRules: Required<Pick<FamilyBehaviour, 'derive' | 'check' | 'takesReferences'>> = {
  // A key may stay in a vault. Whether it fits is the gateway's to say, which reads it.
  takesReferences: true,
  derive(values) {
    const chain = readChain(String(values['cert']));
    // What cannot be read is for `check` to refuse.
    if (!chain.ok) return values;
    const { leaf } = chain;
    const strength = keyStrength(leaf.publicKey);
    return {
      ...values,
      subject: distinguishedName(leaf.subject),
      issuer: distinguishedName(leaf.issuer),
      serial: leaf.serialNumber,
      ...validityOf(leaf),
      fingerprint_sha256: digestOf(leaf),
      ...(strength.ok && { key_type: strength.type }),
    };
  },
  check(values) {
    const main = checkPair(values, 'cert', 'key');
    const alternative = values['cert_alt'] === undefined ? undefined : checkPair(values, 'cert_alt', 'key_alt');
    const problems = [...main.problems, ...(alternative?.problems ?? [])];
    if (main.type === undefined || main.type !== alternative?.type) return problems;
    const message = 'must have a key of another type than cert';
    return [...problems, { pointer: '/cert_alt', code: 'same_key_type', message }];
  },
};

/** Makes the behaviour: the pure rules, and the SNI records that belong to a certificate. */
export function createCertificateBehaviour(nowMs: () => number): FamilyBehaviour {
  return {
    ...certificateRules,
    async prepare({ values }) {
      const { snis } = values;
      const body = without(values, 'snis');
      if (!Array.isArray(snis)) return { ok: true, body };
      return { ok: true, body, effect: (records, written) => setServerNames(records, written, snis as string[]) };
    },
    async liveFields(executor, tenantId, records) {
      const targetIds = records.map(({ id }) => id);
      const question = {
        tenantId,
        family: 'snis',
        targetFamily: 'certificates',
        targetIds,
        perTargetMax: certificateSnisMax,
      };
      const { names, unread } = await namesOfReferrers(executor, question);
      return new Map(
        records.map(({ id, body }): [string, Values] => {
          const leftMs = Date.parse(String(body['not_after'])) - nowMs();
          // Who sends a record back without the field leaves the names as they are; a part of them would remove the rest.
          const shown = unread.has(id) ? {} : { snis: (names.get(id) ?? []).toSorted() };
          return [id, { ...shown, expires_in_days: Math.floor(leftMs / dayMs) }];
        }),
      );
    },
  };
}

interface CheckedPair {
  /** Kind of the leaf's key, when the certificate can be read. */
  readonly type: Extract<KeyStrength, { ok: true }>['type'] | undefined;
  readonly problems: readonly FieldProblem[];
}

function checkPair(values: Values, certField: string, keyField: string): CheckedPair {
  const problems: FieldProblem[] = [...referenceProblems(values, [`/${keyField}`])];
  const chain = readChain(String(values[certField]));
  if (!chain.ok) problems.push({ pointer: `/${certField}`, code: 'invalid_certificate', message: chain.message });
  // A mask stands for the live key, which only the writer can open: there it is checked.
  const keyText = values[keyField];
  const isElsewhere = typeof keyText !== 'string' || isRedactionMask(keyText) || isSecretReference(keyText);
  const key = isElsewhere ? undefined : readPrivateKey(keyText);
  if (key?.ok === false) problems.push({ pointer: `/${keyField}`, code: 'invalid_key', message: key.message });
  if (chain.ok && key?.ok && !chain.leaf.checkPrivateKey(key.key)) {
    const message = `is not the private key of ${certField}`;
    problems.push({ pointer: `/${keyField}`, code: 'key_mismatch', message });
  }
  const strength = chain.ok ? keyStrength(chain.leaf.publicKey) : undefined;
  return { type: strength?.ok ? strength.type : undefined, problems };
}
