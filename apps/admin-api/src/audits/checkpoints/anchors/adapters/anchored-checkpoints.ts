import { open } from 'node:fs/promises';
import { NoteError, type NoteVerifier, openNote, parseCheckpoint } from '@portcullis/audit-chain';

/** What was anchored of a chain. */
export interface AnchoredHead {
  readonly size: number;
  readonly root: string;
}

/** So much of the end of a file is looked at. */
const tailBytes = 1024 * 1024;

/**
 * The last checkpoint of each chain in a file that an anchor wrote: what the log has to continue, whatever the database
 * says. Lines that no known key signed count for nothing; a file that is not there yet has none.
 */
export async function anchoredHeads(
  path: string,
  verifiers: readonly NoteVerifier[],
): Promise<ReadonlyMap<string, AnchoredHead>> {
  const heads = new Map<string, AnchoredHead>();
  for (const line of (await tailOf(path)).split('\n')) {
    const entry = headIn(line, verifiers);
    if (entry) heads.set(entry.chain, entry);
  }
  return heads;
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

function headIn(line: string, verifiers: readonly NoteVerifier[]): (AnchoredHead & { chain: string }) | undefined {
  try {
    const { chain, note } = JSON.parse(line) as { chain?: unknown; note?: unknown };
    if (typeof chain !== 'string' || typeof note !== 'string') return undefined;
    const { size, root } = parseCheckpoint(openNote(note, verifiers).text);
    return { chain, size, root };
  } catch (error) {
    // The first line of the tail may be half a one, and so may the last one after a crash.
    if (error instanceof SyntaxError || error instanceof NoteError) return undefined;
    throw error;
  }
}
