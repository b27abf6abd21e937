import { hash } from 'node:crypto';
import { HASH_BYTES, hashText } from './hex.ts';

/**
 * What is hashed, byte for byte. Every hash begins with a domain of its own, and all that follows has a fixed width or says
 * its length, so that no two different things are ever hashed as the same bytes. Source: reliability, Audit chain, Framing.
 */
const CONTENT_DOMAIN = Buffer.from('portcullis/audit/v1/content\0', 'latin1');
const TENANT_DOMAIN = Buffer.from('portcullis/audit/v1/tenant\0', 'latin1');
const GLOBAL_DOMAIN = Buffer.from('portcullis/audit/v1/global\0', 'latin1');
const SEQUENCE_BYTES = 8;
/** How many tenants' hashed IDs are kept at hand. */
const TENANTS_MAX = 1024;
const TWO_TO_32 = 2 ** 32;

/** The longest canonical form whose length fits into its frame's 32 bits. */
export const CANONICAL_BYTES_MAX: number = TWO_TO_32 - 1;

/** What comes before the first record of a chain: 32 zero bytes. */
export const GENESIS_HASH: string = '0'.repeat(HASH_BYTES * 2);

const tenantLink = Buffer.alloc(TENANT_DOMAIN.length + HASH_BYTES + SEQUENCE_BYTES + HASH_BYTES * 2);
TENANT_DOMAIN.copy(tenantLink);
const globalLink = Buffer.alloc(GLOBAL_DOMAIN.length + SEQUENCE_BYTES + HASH_BYTES * 3);
GLOBAL_DOMAIN.copy(globalLink);
const tenantHashes = new Map<string, string>();

/** SHA-256 over the domain, the length of the canonical form (32 bits, big endian) and its UTF-8 bytes. */
export function contentHash(canonical: string): string {
  const length = Buffer.byteLength(canonical, 'utf8');
  if (length > CANONICAL_BYTES_MAX) throw new RangeError('a canonical form is longer than 32 bits can say');
  const bytes = Buffer.allocUnsafe(CONTENT_DOMAIN.length + 4 + length);
  const at = CONTENT_DOMAIN.copy(bytes);
  bytes.writeUInt32BE(length, at);
  bytes.write(canonical, at + 4, 'utf8');
  return hash('sha256', bytes, 'hex');
}

/** What a link of a tenant's chain says. `tenantId` '' is the chain of what belongs to no tenant. */
export interface TenantLink {
  readonly tenantId: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly contentHash: string;
}

/** The `audit_hash` of a record. Throws for what is no hash and no sequence of 1 or more. */
export function tenantLinkHash(link: TenantLink): string {
  let at = TENANT_DOMAIN.length;
  at += tenantLink.write(tenantHash(link.tenantId), at, 'hex');
  at = writeSequence(tenantLink, link.sequence, at);
  at += tenantLink.write(hashText(link.previousHash, 'previousHash'), at, 'hex');
  tenantLink.write(hashText(link.contentHash, 'contentHash'), at, 'hex');
  return hash('sha256', tenantLink, 'hex');
}

/** What a link of the chain over all tenants says. */
export interface GlobalLink {
  readonly sequence: number;
  readonly previousHash: string;
  readonly tenantId: string;
  readonly auditHash: string;
}

/** The `global_hash` of a record. Throws for what is no hash and no sequence of 1 or more. */
export function globalLinkHash(link: GlobalLink): string {
  let at = writeSequence(globalLink, link.sequence, GLOBAL_DOMAIN.length);
  at += globalLink.write(hashText(link.previousHash, 'previousHash'), at, 'hex');
  at += globalLink.write(tenantHash(link.tenantId), at, 'hex');
  globalLink.write(hashText(link.auditHash, 'auditHash'), at, 'hex');
  return hash('sha256', globalLink, 'hex');
}

function tenantHash(tenantId: string): string {
  const known = tenantHashes.get(tenantId);
  if (known !== undefined) return known;
  if (tenantHashes.size >= TENANTS_MAX) tenantHashes.clear();
  const made = hash('sha256', tenantId, 'hex');
  tenantHashes.set(tenantId, made);
  return made;
}

function writeSequence(target: Buffer, sequence: number, at: number): number {
  if (!Number.isSafeInteger(sequence) || sequence < 1) throw new RangeError(`${sequence} is no sequence number`);
  target.writeUInt32BE(Math.floor(sequence / TWO_TO_32), at);
  return target.writeUInt32BE(sequence % TWO_TO_32, at + 4);
}
