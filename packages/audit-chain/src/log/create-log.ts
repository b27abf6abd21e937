import { formatCheckpoint, parseCheckpoint, type Checkpoint } from '../checkpoints/checkpoint.ts';
import { parseVerifierKey, type NoteSigner, type NoteVerifier } from '../checkpoints/note-key.ts';
import { openNote, signNote } from '../checkpoints/note.ts';
import { COMMITTED_FIELDS } from '../records/commitment.ts';
import { exportLine } from '../records/export-line.ts';
import { CompactRange } from '../tree/compact-range.ts';
import { consistencyProof, inclusionProof } from '../tree/proofs.ts';
import type { ReadSubtree } from '../tree/subtrees.ts';
import { verifyConsistency } from '../tree/verify-proofs.ts';
import type { LogBase } from '../verify/log-walk.ts';
import { planAppend, prepare, type LogEntry, type PreparedEntry } from './append.ts';
import { LogError } from './log-error.ts';
import { GLOBAL_CHAIN, prunedChain, tenantChain, type LogRecord, type LogStorage } from './log-storage.ts';
import { planPrune } from './prune.ts';

/** How often an append is tried while other writers are faster. */
export const APPEND_ATTEMPTS_MAX = 64;
/** How many checkpoints are read at once unless the caller says otherwise. */
const CHECKPOINTS_READ_MAX = 1000;
/** How many records are read at once. */
const PAGE_RECORDS_MAX = 500;

/** What a log needs. */
export interface LogOptions {
  readonly storage: LogStorage;
  /** Names the log in its checkpoints, such as `example.com/audit`. */
  readonly origin: string;
  readonly signer: NoteSigner;
  /** Keys that signed earlier checkpoints, beside the signer's own: `name+keyid+base64`. */
  readonly olderKeys?: readonly string[];
  /** Random salts of `SALT_BYTES` bytes in hex, a new one at each call: `() => randomBytes(16).toString('hex')`. */
  readonly salt: () => string;
  /** Members that are stored as commitments and may be erased. Without it those of `COMMITTED_FIELDS`. */
  readonly redactable?: readonly string[];
}

/** An append-only log. */
export interface Log {
  /** Chains entries, in their order, and stores them: all or none. Any number of writers may append at once. */
  append(entries: readonly LogEntry[]): Promise<readonly LogRecord[]>;
  /** Signs the log as it is now and keeps the note. Throws where the log does not continue what was signed before. */
  checkpoint(): Promise<string>;
  /** Signed notes of more records than that, the newest last; 1,000 at most unless the caller says otherwise. */
  checkpoints(after?: number, limit?: number): Promise<readonly string[]>;
  /** For `verifyInclusion` with index `sequence - 1`. */
  proveInclusion(sequence: number, size: number): Promise<readonly string[]>;
  /** For `verifyConsistency`. */
  proveConsistency(from: number, to: number): Promise<readonly string[]>;
  /** Lines of an export with their line breaks, from that sequence on, as many as there are now. */
  export(from?: number): AsyncIterable<string>;
  /** What was there before the first record that is kept: `base` of a verifier. Undefined for a log that was never pruned. */
  base(): Promise<LogBase | undefined>;
  /** Erases a committed value and its salt. Hashes stay as they are. */
  redact(sequence: number, field: string): Promise<void>;
  /** Removes records up to a checkpoint of this log that was signed. Proofs over what comes later still work. */
  prune(note: string): Promise<void>;
}

/** A log over a storage. Nothing is kept in memory: every process may have one over the same storage. */
export function createLog(options: LogOptions): Log {
  const { storage, origin, signer, salt } = options;
  const redactable = options.redactable ?? COMMITTED_FIELDS;
  const verifiers: readonly NoteVerifier[] = [signer.verifierKey, ...(options.olderKeys ?? [])].map(parseVerifierKey);

  const read: ReadSubtree = async (level, position) => {
    const hash = await storage.readNode(level, position);
    if (hash === undefined) throw new LogError('pruned', 'a part of the tree that the proof needs is not kept');
    return hash;
  };
  const tree = async (): Promise<CompactRange> => {
    const head = (await storage.readHeads([GLOBAL_CHAIN])).get(GLOBAL_CHAIN);
    return CompactRange.from(head?.sequence ?? 0, head?.subtrees ?? []);
  };
  const opened = (note: string): Checkpoint => {
    const checkpoint = parseCheckpoint(openNote(note, verifiers).text);
    if (checkpoint.origin !== origin) throw new LogError('unknown', 'the checkpoint is of another log');
    return checkpoint;
  };
  const checkContinues = async (from: Checkpoint, now: CompactRange): Promise<void> => {
    if (from.size === 0) return;
    const isPossible = from.size <= now.size;
    const proof = isPossible ? await consistencyProof(from.size, now.size, read) : [];
    const claim = { from: from.size, fromRoot: from.root, to: now.size, toRoot: now.root(), proof };
    if (!verifyConsistency(claim))
      throw new LogError('inconsistent', `the log does not continue its checkpoint of ${from.size} records`);
  };

  const store = async (prepared: readonly PreparedEntry[]): Promise<readonly LogRecord[]> => {
    const chains = [GLOBAL_CHAIN, ...new Set(prepared.map((entry) => tenantChain(entry.tenantId)))];
    for (let attempt = 0; attempt < APPEND_ATTEMPTS_MAX; attempt++) {
      // oxlint-disable-next-line no-await-in-loop
      const append = planAppend(await storage.readHeads(chains), prepared);
      // oxlint-disable-next-line no-await-in-loop
      if (await storage.append(append)) return append.records;
    }
    throw new LogError('contended', `other writers were faster ${APPEND_ATTEMPTS_MAX} times`);
  };
  let turn: Promise<unknown> = Promise.resolve();

  return {
    async append(entries): Promise<readonly LogRecord[]> {
      if (entries.length === 0) return [];
      const prepared = entries.map((entry) => prepare(entry, redactable, salt));
      // One after another within this log: only other processes are raced with.
      const mine = turn.then(() => store(prepared));
      turn = mine.catch(() => undefined);
      return mine;
    },
    async checkpoint(): Promise<string> {
      const now = await tree();
      const last = await storage.readLastCheckpoint();
      if (last !== undefined) await checkContinues(opened(last), now);
      if (last !== undefined && opened(last).size === now.size) return last;
      const note = signNote(formatCheckpoint({ origin, size: now.size, root: now.root() }), signer);
      await storage.saveCheckpoint(now.size, note);
      return note;
    },
    checkpoints: (after = -1, limit = CHECKPOINTS_READ_MAX) => storage.readCheckpoints(after, limit),
    proveInclusion: (sequence, size) => inclusionProof(sequence - 1, size, read),
    proveConsistency: (from, to) => consistencyProof(from, to, read),
    async *export(from = 1): AsyncIterable<string> {
      let next = from;
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop
        const records = await storage.readRecords(next, PAGE_RECORDS_MAX);
        for (const record of records) yield `${exportLine(record)}\n`;
        if (records.length < PAGE_RECORDS_MAX) return;
        next = (records.at(-1)?.global_sequence ?? next) + 1;
      }
    },
    async base(): Promise<LogBase | undefined> {
      const prefix = prunedChain(tenantChain(''));
      const heads = await storage.readHeadsOf(prunedChain(''));
      const head = heads.get(prunedChain(GLOBAL_CHAIN));
      if (head === undefined) return undefined;
      const tenants = [...heads].filter(([chain]) => chain.startsWith(prefix));
      return {
        head,
        subtrees: head.subtrees,
        tenants: new Map(tenants.map(([chain, own]) => [chain.slice(prefix.length), own])),
      };
    },
    async redact(sequence, field): Promise<void> {
      for (let attempt = 0; attempt < APPEND_ATTEMPTS_MAX; attempt++) {
        // oxlint-disable-next-line no-await-in-loop
        const [record] = await storage.readRecords(sequence, 1);
        if (record?.global_sequence !== sequence) throw new LogError('unknown', `there is no record ${sequence}`);
        if (!Object.hasOwn(record.disclosures, field))
          throw new LogError('unknown', `record ${sequence} has no committed ${field}`);
        const next = { ...record.disclosures, [field]: null };
        // oxlint-disable-next-line no-await-in-loop
        if (await storage.replaceDisclosures(sequence, record.disclosures, next)) return;
      }
      throw new LogError('contended', 'the record is changed all the time');
    },
    async prune(note): Promise<void> {
      const checkpoint = opened(note);
      await checkContinues(checkpoint, await tree());
      await storage.prune(await planPrune(storage, checkpoint.size, read));
    },
  };
}
