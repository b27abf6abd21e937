import { hash } from 'node:crypto';
import { HASH_BYTES, hashText } from '../hashing/hex.ts';

/** Leaves and inner nodes are hashed behind different bytes, so that neither passes for the other. Source: RFC 6962, 2.1. */
const leafBytes = Buffer.alloc(1 + HASH_BYTES);
const nodeBytes = Buffer.alloc(1 + HASH_BYTES * 2, 1);

/** The root of a tree without leaves: SHA-256 of nothing. Source: RFC 6962, 2.1. */
export const EMPTY_ROOT: string = hash('sha256', '', 'hex');

/** The leaf over the 32 bytes of a record's `audit_hash`: SHA-256(0x00, hash). */
export function leafHash(auditHash: string): string {
  leafBytes.write(hashText(auditHash, 'auditHash'), 1, 'hex');
  return hash('sha256', leafBytes, 'hex');
}

/** The node over two others: SHA-256(0x01, left, right). Both must be hashes: they are not checked again here. */
export function nodeHash(left: string, right: string): string {
  nodeBytes.write(left, 1, 'hex');
  nodeBytes.write(right, 1 + HASH_BYTES, 'hex');
  return hash('sha256', nodeBytes, 'hex');
}
