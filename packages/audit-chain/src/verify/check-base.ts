import { isHash } from '../hashing/hex.ts';
import { subtreeCount } from '../tree/compact-range.ts';
import type { ChainHead } from '../chain/heads.ts';
import type { LogBase } from './log-walk.ts';

/** What is wrong with a beginning: it may come from the file that is verified. */
export function problemOfBase({ head, subtrees, tenants }: LogBase): string | undefined {
  if (!isHead(head)) return 'the beginning of the log is no sequence with a hash';
  if (subtrees !== undefined && (subtrees.length !== subtreeCount(head.sequence) || !subtrees.every(isHash))) {
    return `${head.sequence} records have another number of perfect subtrees than the beginning of the log, or these are no hashes`;
  }
  for (const tenant of tenants?.values() ?? [])
    if (!isHead(tenant)) return 'the head of a tenant is no sequence with a hash';
  return undefined;
}

function isHead({ sequence, hash }: ChainHead): boolean {
  return Number.isSafeInteger(sequence) && sequence >= 0 && isHash(hash);
}
