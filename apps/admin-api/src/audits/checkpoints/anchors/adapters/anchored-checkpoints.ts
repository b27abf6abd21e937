import { open } from 'node:fs/promises';
import { NoteError, type NoteVerifier } from '@portcullis/audit-chain';
import type { VouchedHead } from '../../checked-root.ts';
import { openSigned } from '../../signed-checkpoint.ts';

/** So much of the end of a file is looked at. */
const tailBytes = 1024 * 1024;
/** Checkpoints of one chain that its log is held to beside the largest: the last ones. */
const lastOnes = 8;

/** What a file says that an anchor wrote. */
export interface AnchorFile {
  /** What each chain has to continue, whatever the database says. */
  readonly heads: ReadonlyMap<string, readonly VouchedHead[]>;
  /** Checkpoints that no known key signed, or that are of another log: whoever deletes the key is seen by them. */
  readonly foreign: number;
  /** Sizes of which there are two roots: two histories were signed. */
  readonly forked: number;
}

/** Reads the end of an anchor's file. One that is not there yet is empty; lines that are no JSON were broken off by a crash. */
export async function readAnchorFile(path: string, verifiers: readonly NoteVerifier[]): Promise<AnchorFile> {
  const chains = new Map<string, Map<number, string>>();
  let [foreign, forked] = [0, 0];
  for (const line of (await tailOf(path)).split('\n')) {
    const entry = entryIn(line);
    if (entry === undefined) continue;
    const head = headIn(entry, verifiers);
    if (head === undefined) {
      foreign += 1;
      continue;
    }
    const roots = chains.get(entry.chain) ?? new Map<number, string>();
    if ((roots.get(head.size) ?? head.root) !== head.root) forked += 1;
    // The last one written stands last, whatever its size.
    roots.delete(head.size);
    chains.set(entry.chain, roots.set(head.size, head.root));
  }
  return { heads: new Map([...chains].map(([chain, roots]) => [chain, headsOf(roots)])), foreign, forked };
}

function headsOf(roots: ReadonlyMap<number, string>): readonly VouchedHead[] {
  const all = [...roots].map(([size, root]) => ({ size, root }));
  const largest = all.reduce((one, other) => (other.size > one.size ? other : one), { size: 0, root: '' });
  return [largest, ...all.slice(-lastOnes).filter(({ size }) => size !== largest.size)];
}

async function tailOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const length = Math.min(size, tailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

interface AnchoredEntry {
  readonly chain: string;
  readonly note: string;
}

function entryIn(line: string): AnchoredEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<AnchoredEntry> | null;
    const isWhole = typeof entry?.chain === 'string' && typeof entry.note === 'string';
    return isWhole ? (entry as AnchoredEntry) : undefined;
  } catch {
    return undefined;
  }
}

function headIn({ chain, note }: AnchoredEntry, verifiers: readonly NoteVerifier[]): VouchedHead | undefined {
  try {
    return openSigned(note, chain, verifiers);
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}
