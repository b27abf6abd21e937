import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { type NoteVerifier, parseVerifierKey, verifyConsistency } from '@portcullis/audit-chain';
import * as v from 'valibot';
import { answerAs } from '../../api/answer-as.ts';
import { openSession, type Session } from '../../api/session.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import type { OutputFormat } from '../../options.ts';
import { printDocument, printOutcome } from '../../output/document.ts';
import { fieldTable } from '../../output/table.ts';
import { auditsPath, type LogOptions, logQuery } from './asked-log.ts';
import { keysOf, notesIn, openedCheckpoint } from './saved-checkpoints.ts';
import { verifyExitCodes } from './verify-log.ts';

/** Options of `gwctl audit checkpoint`. */
export interface CheckpointOptions extends LogOptions {
  readonly key: readonly string[];
  readonly outputFormat: OutputFormat;
}

const answerSchema = v.looseObject({
  origin: v.string(),
  note: v.string(),
  verifier_key: v.string(),
  created_at: v.string(),
});
const proofSchema = v.looseObject({ hashes: v.array(v.string()) });
const fileMode = 0o600;

/** Prints the checkpoint, once its signature holds. */
export async function showCheckpoint(options: CheckpointOptions): Promise<number> {
  const session = await openSession(options, 'read');
  const { answer, checkpoint } = await currentCheckpoint(session, options);
  await printDocument(options.outputFormat, answer, () =>
    fieldTable({ ...checkpoint, created_at: answer.created_at, verifier_key: answer.verifier_key, note: answer.note }),
  );
  return exitCodes.done;
}

/**
 * Appends the checkpoint to the auditor's own file: a line of JSON, on the disk when this returns. First the server has to show
 * that the log continues the last one there; the file's first key is believed, later ones have to be given.
 */
export async function saveCheckpoint(options: CheckpointOptions, file: string): Promise<number> {
  const session = await openSession(options, 'read');
  const { answer, checkpoint, keys } = await currentCheckpoint(session, options);
  const [last] = existsSync(file) ? (await notesIn(file, checkpoint.origin, exitCodes.failed)).slice(-1) : [];
  if (last !== undefined) {
    const saved = openedCheckpoint(last, keys, exitCodes.failed);
    const query = { ...logQuery(options, session), from: saved.size, to: checkpoint.size };
    if (saved.size > checkpoint.size) throw broken(`the log has ${checkpoint.size} records and had ${saved.size}`);
    const proved = await session.call('GET', `${auditsPath}/proof/consistency`, { query });
    const { hashes: proof } = answerAs(proved, proofSchema);
    const claim = { from: saved.size, fromRoot: saved.root, to: checkpoint.size, toRoot: checkpoint.root, proof };
    if (!verifyConsistency(claim)) throw broken('the log does not continue the checkpoint that was saved last');
    if (saved.size === checkpoint.size) {
      await printOutcome(options.outputFormat, { file, size: saved.size, saved: false }, `nothing new in the log`);
      return exitCodes.done;
    }
  }
  append(file, `${JSON.stringify(answer)}\n`);
  const { size } = checkpoint;
  await printOutcome(
    options.outputFormat,
    { file, size, saved: true },
    `saved the checkpoint of ${size} records to ${file}`,
  );
  return exitCodes.done;
}

/** The checkpoint of the log as it stands. Without a key of the user's own the server's is believed. */
async function currentCheckpoint(session: Session, options: CheckpointOptions) {
  const given = await keysOf(options.key, exitCodes.failed);
  const raw = await session.call('GET', `${auditsPath}/checkpoint`, { query: logQuery(options, session) });
  const answer = answerAs(raw, answerSchema);
  const keys: readonly NoteVerifier[] = (given.length > 0 ? given : [answer.verifier_key]).map(parseVerifierKey);
  const checkpoint = openedCheckpoint(
    answer.note,
    keys,
    given.length > 0 ? verifyExitCodes.tampered : exitCodes.failed,
  );
  if (checkpoint.origin !== answer.origin) throw broken('the checkpoint is of another log');
  return { answer, checkpoint, keys };
}

function broken(message: string): CommandFailure {
  return new CommandFailure(message, [], verifyExitCodes.tampered);
}

function append(file: string, text: string): void {
  try {
    const descriptor = openSync(file, 'a', fileMode);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new CommandFailure(`${file} cannot be written (${String(code)})`);
  }
}
