export { appendRecord, type Chained, type ChainMembers, type Previous } from './chain/append-record.ts';
export { chainBatch, type ChainedBatch, type PendingRecord, type RecordLinks } from './chain/chain-batch.ts';
export { GENESIS, type ChainHead, type ChainHeads } from './chain/heads.ts';
export { verifyChain, type ChainCheck } from './chain/verify-chain.ts';
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
export type { LogEntry } from './log/append.ts';
export { APPEND_ATTEMPTS_MAX, createLog, type Log, type LogOptions } from './log/create-log.ts';
export { LogError, type LogFailure } from './log/log-error.ts';
export type { LogAppend, LogPrune, LogRecord, LogStorage, StoredHead, StoredNode } from './log/log-storage.ts';
export { CanonicalError, canonicalJson, canonicalRecord, DEPTH_MAX } from './records/canonical-json.ts';
export { COMMITTED_FIELDS, commitField, SALT_BYTES, type Commitment } from './records/commitment.ts';
export {
  checkExportRecord,
  exportLine,
  ExportLineError,
  parseExportLine,
  type Disclosure,
  type ExportRecord,
} from './records/export-line.ts';
export { jsonForm } from './records/json-form.ts';
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
export { CLOCK_SKEW_MS_MAX, FINDINGS_MAX } from './verify/clock-watch.ts';
export { createVerifier, type Verifier, type VerifierOptions } from './verify/create-verifier.ts';
export type { CheckpointOptions } from './verify/known-checkpoints.ts';
export type { LogBase, LogScope } from './verify/log-walk.ts';
export type {
  Finding,
  Summary,
  TamperedVerdict,
  TamperKind,
  UndecidableReason,
  UndecidableVerdict,
  ValidVerdict,
  Verdict,
} from './verify/verdict.ts';
export { LINE_LENGTH_MAX, verifyExport } from './verify/verify-export.ts';
