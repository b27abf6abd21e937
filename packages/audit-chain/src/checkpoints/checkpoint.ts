import { hashText } from '../hashing/hex.ts';
import { NoteError } from './note.ts';

/** What a checkpoint says of a log: whose it is, how many records it has, the root of the Merkle tree over them (hex). */
export interface Checkpoint {
  /** Names the log, such as `example.com/audit/global`. One line, not empty. */
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

/** The text that is signed: origin, size and root in base64, a line each. Source: C2SP tlog-checkpoint. */
export function formatCheckpoint(checkpoint: Checkpoint): string {
  const { origin, size, root } = checkpoint;
  if (origin === '' || origin.includes('\n'))
    throw new NoteError('malformed', 'the origin of a checkpoint is one line');
  if (!Number.isSafeInteger(size) || size < 0)
    throw new NoteError('malformed', 'the size of a checkpoint is a whole number');
  return `${origin}\n${size}\n${Buffer.from(hashText(root, 'root'), 'hex').toString('base64')}\n`;
}

/** Reads the text of an opened note. Lines after the third are extensions and are passed over. Throws a NoteError. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', sizeText = '', rootText = ''] = text.split('\n');
  const size = /^(?:0|[1-9][0-9]{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  const root = Buffer.from(rootText, 'base64');
  if (origin === '' || !Number.isSafeInteger(size) || root.length !== 32 || root.toString('base64') !== rootText) {
    throw new NoteError('malformed', 'this is no checkpoint');
  }
  return { origin, size, root: root.toString('hex') };
}
