import type { Family } from '@portcullis/resources';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { SecretError } from '../secrets/secret-error.ts';
import type { TenantSecrets } from '../secrets/tenant-secrets.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { pointerSegments, withValuesAt } from './json-pointer.ts';
import { openSecrets } from './secret-values.ts';
import { viewOf } from './record-view.ts';
import type { Values } from './values.ts';

/** Stands in the audit log for a secret; null where the stored one cannot be read. */
interface SecretDigest {
  readonly secret_digest: string | null;
}

/** Fields that hold a hash in place of what a caller sent end like this, and reads do not show them. */
const hashSuffix = '_hash';

/**
 * A record as the audit log keeps it: what reads show, with a keyed digest in place of each secret, also of those that reads
 * leave out. So a change of a secret can be seen, and the secret cannot. What is stored as a hash only has a digest of that: it
 * changes whenever the secret is set, with a salted hash also to the same value.
 */
export async function auditedView(
  box: SecretBox,
  transaction: Transaction<Tables> | undefined,
  family: Family,
  record: StoredRecord,
): Promise<Values> {
  const view = viewOf(family, record);
  const hashed = Object.entries(record.body).filter(([name, value]) => isHash(name, value) && !(name in view));
  const pointers = Object.keys(record.secrets);
  if (hashed.length === 0 && pointers.length === 0) return view;
  const secrets = await box.forTenant(record.tenantId, transaction);
  const hidden: Record<string, SecretDigest | Record<string, SecretDigest>> = {};
  for (const [name, hash] of hashed) {
    hidden[name.slice(0, -hashSuffix.length)] = { secret_digest: secrets.digestOf(String(hash)) };
  }
  const shown = new Map<string, SecretDigest>();
  for (const [pointer, digest] of digestsOf(secrets, record)) {
    const [field = '', ...within] = pointerSegments(pointer);
    if (field in view) shown.set(pointer, digest);
    else if (within.length === 0) hidden[field] = digest;
    else hidden[field] = { ...hidden[field], [within.join('/')]: digest };
  }
  return { ...withValuesAt(view, shown), ...hidden };
}

function isHash(name: string, value: unknown): boolean {
  return name.endsWith(hashSuffix) && typeof value === 'string';
}

/** A record whose secrets cannot be opened can still be changed and deleted. */
function digestsOf(secrets: TenantSecrets, record: StoredRecord): [string, SecretDigest][] {
  try {
    return [...openSecrets(secrets, record)].map(([pointer, plain]) => [
      pointer,
      { secret_digest: secrets.digestOf(plain) },
    ]);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    return Object.keys(record.secrets).map((pointer) => [pointer, { secret_digest: null }]);
  }
}
