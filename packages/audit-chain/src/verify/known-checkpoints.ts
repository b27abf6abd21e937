import { parseCheckpoint, type Checkpoint } from '../checkpoints/checkpoint.ts';
import { parseVerifierKey, type NoteVerifier } from '../checkpoints/note-key.ts';
import { NoteError, openNote } from '../checkpoints/note.ts';
import { undecidable, type Ending } from './problem.ts';

/** Checkpoints to hold a log to. */
export interface CheckpointOptions {
  /** Signed notes of this log, in any order: those that were kept elsewhere count most. */
  readonly checkpoints?: readonly string[];
  /** The signed note that the log's keeper says is the newest. */
  readonly newest?: string | undefined;
  /** Keys that may sign: `name+keyid+base64`. Of a log whose key was exchanged, the older ones too. */
  readonly keys?: readonly (string | NoteVerifier)[];
  /** The origin that checkpoints have to name. Without it, all have to name the same. */
  readonly origin?: string | undefined;
}

/** The checkpoints by size, or why there is nothing to verify any more. Throws a TypeError for a key that is none. */
export function knownCheckpoints(options: CheckpointOptions): readonly Checkpoint[] | Ending {
  const { checkpoints: notes = [], newest, keys = [] } = options;
  const all = newest === undefined ? notes : [...notes, newest];
  if (all.length === 0) return [];
  if (keys.length === 0) return undecidable('no_key', 'there are checkpoints, and no key to check them with');
  const verifiers = keys.map((key) => (typeof key === 'string' ? parseVerifierKey(key) : key));
  const opened: Checkpoint[] = [];
  for (const note of all) {
    const checkpoint = open(note, verifiers);
    if ('outcome' in checkpoint) return checkpoint;
    opened.push(checkpoint);
  }
  const origin = options.origin ?? opened[0]?.origin;
  if (opened.some((checkpoint) => checkpoint.origin !== origin)) {
    return undecidable('other_log', 'a checkpoint names another log as its origin');
  }
  const bySize = opened.toSorted((a, b) => a.size - b.size);
  return forkOf(bySize) ?? replayOf(bySize, newest === undefined ? undefined : opened.at(-1)) ?? bySize;
}

function open(note: string, verifiers: readonly NoteVerifier[]): Checkpoint | Ending {
  try {
    return parseCheckpoint(openNote(note, verifiers).text);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    if (error.code === 'malformed') return undecidable('malformed', `a checkpoint cannot be read: ${error.message}`);
    return {
      outcome: 'tampered',
      kind: 'foreign_key',
      firstBad: 1,
      detail: `a checkpoint is not signed by a known key (of a log whose key was exchanged the former ones are needed too): ${error.message}`,
    };
  }
}

function forkOf(bySize: readonly Checkpoint[]): Ending | undefined {
  for (const [index, checkpoint] of bySize.entries()) {
    const before = bySize[index - 1];
    if (before?.size !== checkpoint.size || before.root === checkpoint.root) continue;
    const sealed = bySize.findLast((other) => other.size < checkpoint.size)?.size ?? 0;
    const detail = `two checkpoints of ${checkpoint.size} records have different roots`;
    return { outcome: 'tampered', kind: 'forked', firstBad: sealed + 1, detail };
  }
  return undefined;
}

function replayOf(bySize: readonly Checkpoint[], newest: Checkpoint | undefined): Ending | undefined {
  const largest = bySize.at(-1);
  if (newest === undefined || largest === undefined || newest.size >= largest.size) return undefined;
  const detail = `the newest checkpoint has ${newest.size} records, an earlier one ${largest.size}`;
  return { outcome: 'tampered', kind: 'checkpoint_replayed', firstBad: newest.size + 1, detail };
}
