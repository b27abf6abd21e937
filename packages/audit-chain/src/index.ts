export { chainBatch, type ChainedBatch, type PendingRecord, type RecordLinks } from './chain/chain-batch.ts';
export { GENESIS, type ChainHead, type ChainHeads } from './chain/heads.ts';
export { formatCheckpoint, parseCheckpoint, type Checkpoint } from './checkpoints/checkpoint.ts';
export {
  createSigner,
  parseVerifierKey,
  privateKeyFromSeed,
  type NoteSigner,
  type NoteVerifier,
} from './checkpoints/note-key.ts';
export {
  NOTE_BYTES_MAX,
  NOTE_SIGNATURES_MAX,
  NoteError,
  openNote,
  signNote,
  type NoteFailure,
  type OpenedNote,
} from './checkpoints/note.ts';
export {
  contentHash,
  GENESIS_HASH,
  globalLinkHash,
  tenantLinkHash,
  type GlobalLink,
  type TenantLink,
} from './hashing/framing.ts';
export { isHash } from './hashing/hex.ts';
export { CanonicalError, canonicalJson, DEPTH_MAX } from './records/canonical-json.ts';
export { COMMITTED_FIELDS, commitField, SALT_BYTES, type Commitment } from './records/commitment.ts';
export { CompactRange, subtreeCount } from './tree/compact-range.ts';
export { EMPTY_ROOT, leafHash, nodeHash } from './tree/hashes.ts';
export { consistencyProof, inclusionProof } from './tree/proofs.ts';
export { rangeRoot, type LeafRange, type ReadSubtree } from './tree/subtrees.ts';
export {
  verifyConsistency,
  verifyInclusion,
  type ConsistencyClaim,
  type InclusionClaim,
} from './tree/verify-proofs.ts';
