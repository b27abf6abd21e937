import { NoteError, type NoteVerifier, openNote, parseCheckpoint, parseVerifierKey } from '@portcullis/audit-chain';
import { tenantOfChain } from '../operations/chain-port.ts';
import type { VouchedHead } from './checked-root.ts';
import { originOf } from './origin.ts';

/**
 * What a note says of a chain.
 * @param verifiers the keys that sign this log, or did; each under the name that the log had then
 * @throws NoteError for a note that none of them signed, or that is of another log or another chain
 */
export function openSigned(note: string, chain: string, verifiers: readonly NoteVerifier[]): VouchedHead {
  const { text, signedBy } = openNote(note, verifiers);
  const { origin, size, root } = parseCheckpoint(text);
  const isOwn = signedBy.some((key) => originOf(key.slice(0, key.indexOf('+')), tenantOfChain(chain)) === origin);
  if (!isOwn) throw new NoteError('unverified', 'the checkpoint is of another log');
  return { size, root };
}

/** What checks notes of these keys. One that is none counts for nothing: the database may hold what somebody wrote there. */
export function verifiersOf(keys: Iterable<string>): readonly NoteVerifier[] {
  return Array.from(new Set(keys)).flatMap((key) => {
    try {
      return [parseVerifierKey(key)];
    } catch (error) {
      if (error instanceof TypeError) return [];
      throw error;
    }
  });
}
