import { contentHash, tenantLinkHash } from '../hashing/framing.ts';
import { isHash } from '../hashing/hex.ts';
import { canonicalRecord } from '../records/canonical-json.ts';
import { headOf, tenantOf, withoutLinks, type Chained, type Previous } from './append-record.ts';

/** Whether a chain holds. */
export interface ChainCheck {
  readonly valid: boolean;
  /** How many records were found good. */
  readonly checked: number;
  /** The sequence at which the chain first fails. */
  readonly first_invalid?: number;
}

/**
 * Checks records of one chain as `appendRecord` gives them, from the first one, or from the one behind `after`. It sees every
 * change but the loss of the last records and a chain that was hashed anew from some record on: for those, compare the
 * head with one that you kept elsewhere, or use checkpoints and `createVerifier`.
 */
export function verifyChain(records: Iterable<object>, after?: Previous): ChainCheck {
  let { sequence, hash } = headOf(after);
  let checked = 0;
  let tenantId: string | undefined;
  for (const record of records) {
    sequence++;
    if (typeof record !== 'object' || record === null) return { valid: false, checked, first_invalid: sequence };
    tenantId ??= tenantOf(record);
    const { tenant_sequence, previous_hash, audit_hash } = record as Partial<Chained>;
    const isNext = tenant_sequence === sequence && previous_hash === hash && tenantOf(record) === tenantId;
    if (!isNext || audit_hash === undefined || audit_hash !== expectedHash(record, tenantId, sequence, hash)) {
      return { valid: false, checked, first_invalid: sequence };
    }
    checked++;
    hash = audit_hash;
  }
  return { valid: true, checked };
}

/** Undefined for what cannot have been hashed. */
function expectedHash(record: object, tenantId: string, sequence: number, previousHash: string): string | undefined {
  if (!isHash(previousHash)) return undefined;
  try {
    const content = contentHash(canonicalRecord(withoutLinks(record)));
    return tenantLinkHash({ tenantId, sequence, previousHash, contentHash: content });
  } catch {
    return undefined;
  }
}
