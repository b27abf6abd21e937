import { statSync } from 'node:fs';
import { NoteError, type NoteVerifier, openNote, parseCheckpoint, parseVerifierKey } from '@portcullis/audit-chain';
import { CommandFailure } from '../../failure.ts';
import { readInputText } from '../../input-file.ts';

/** Keys given as texts or as files that hold one a line. @throws CommandFailure with the exit code for what is none */
export async function keysOf(given: readonly string[], exitCode: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const one of given) {
    const isFile = statSync(one, { throwIfNoEntry: false })?.isFile() === true;
    const text = isFile ? (await readInputText(one)).text : one;
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    for (const line of lines) {
      try {
        parseVerifierKey(line);
      } catch (error) {
        const reason = error instanceof Error ? error.message : '';
        throw new CommandFailure(`--key: ${isFile ? one : 'the text'} is no public key: ${reason}`, [], exitCode);
      }
      keys.push(line.trim());
    }
  }
  return keys;
}

/**
 * The signed notes in a file: one note as it is, or lines of JSON that have one each, as `checkpoint save` and anchors write
 * them. Of the latter those of other logs are left out. @param origin of the log, when it is known
 */
export async function notesIn(file: string, origin: string | undefined, exitCode: number): Promise<readonly string[]> {
  const { text } = await readInputText(file).catch((error: unknown) => {
    throw error instanceof CommandFailure ? new CommandFailure(error.message, [], exitCode) : error;
  });
  if (!text.trimStart().startsWith('{')) return [text];
  const notes: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const note = noteIn(line);
    // The last line of a file that something still writes to may be half a one.
    if (note === undefined && index === text.split('\n').length - 1) continue;
    if (note === undefined) throw new CommandFailure(`${file}:${index + 1}: no checkpoint`, [], exitCode);
    if (origin === undefined || note.startsWith(`${origin}\n`)) notes.push(note);
  }
  return notes;
}

function noteIn(line: string): string | undefined {
  try {
    const { note } = JSON.parse(line) as { note?: unknown };
    return typeof note === 'string' ? note : undefined;
  } catch {
    return undefined;
  }
}

/** What a note says once a key has signed it. @throws CommandFailure with the exit code otherwise */
export function openedCheckpoint(note: string, keys: readonly NoteVerifier[], exitCode: number) {
  try {
    return parseCheckpoint(openNote(note, keys).text);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new CommandFailure(`the checkpoint does not hold: ${error.message}`, [], exitCode);
  }
}
