import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import * as v from 'valibot';
import { answerAs, unknownAnswer } from '../../api/answer-as.ts';
import { openSession, type Session } from '../../api/session.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import { printOutcome } from '../../output/document.ts';
import { printMessage } from '../../output/messages.ts';
import { auditsPath, type LogOptions, logQuery } from './asked-log.ts';

/** Options of `gwctl audit export`. */
export interface ExportLogOptions extends LogOptions {
  readonly output?: string;
  readonly from?: string;
}

/** Records that are asked for at once; the server gives fewer where they are large. */
const pieceRecords = 5_000;
/** What is written may tell more than everybody should know. */
const fileMode = 0o600;

/** Writes the log piece by piece, in bounded memory. One that ends early says with which record to go on. */
export async function exportLog(options: ExportLogOptions): Promise<number> {
  const session = await openSession(options, 'read');
  const name = await sequenceNameOf(session, options);
  const sink = options.output === undefined ? standardOutput() : file(options.output, options.from !== undefined);
  let [records, next] = [0, options.from === undefined ? undefined : Number(options.from)];
  try {
    for (;;) {
      const lines = await pieceOf(session, options, next);
      if (lines.length === 0) break;
      await sink.write(`${lines.join('\n')}\n`);
      records += lines.filter((line) => !line.startsWith('{"base"')).length;
      next = sequenceIn(lines.at(-1) ?? '', name) + 1;
    }
  } catch (error) {
    if (next !== undefined && options.output !== undefined) {
      printMessage(`what was written is good: go on with --from ${next}`);
    }
    throw error;
  } finally {
    sink.close();
  }
  if (options.output !== undefined) {
    const done = { file: options.output, records, next: next ?? 1 };
    await printOutcome(options.outputFormat, done, `exported ${records} records to ${options.output}`);
  }
  return exitCodes.done;
}

async function pieceOf(session: Session, options: LogOptions, from: number | undefined): Promise<readonly string[]> {
  const answer = await session.call('GET', `${auditsPath}/export`, {
    query: { ...logQuery(options, session), from, limit: pieceRecords },
    accept: 'application/x-ndjson',
  });
  const { body } = answer;
  if (body === undefined) return [];
  // Without its end a line may be half a one.
  if (typeof body !== 'string' || !body.endsWith('\n')) throw new CommandFailure(unknownAnswer);
  return body.slice(0, -1).split('\n');
}

type SequenceName = 'global_sequence' | 'tenant_sequence';

/** The sequence by which the log goes on. Who names no tenant gets the own, or all of them: the server knows. */
async function sequenceNameOf(session: Session, options: LogOptions): Promise<SequenceName> {
  if (options.allTenants) return 'global_sequence';
  if (session.tenantId !== undefined) return 'tenant_sequence';
  const answer = await session.call('GET', `${auditsPath}/checkpoint`);
  return answerAs(answer, checkpointSchema).tenant_id === null ? 'global_sequence' : 'tenant_sequence';
}

const checkpointSchema = v.object({ tenant_id: v.nullable(v.string()) });

function sequenceIn(line: string, name: SequenceName): number {
  const record = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const sequence = record[name];
  if (typeof sequence !== 'number') throw new CommandFailure(unknownAnswer);
  return sequence;
}

interface Sink {
  write(text: string): Promise<void>;
  close(): void;
}

function standardOutput(): Sink {
  return {
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    close: () => undefined,
  };
}

function file(path: string, isContinued: boolean): Sink {
  const orNotWritten = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error;
      throw new CommandFailure(`${path} cannot be written (${String(code)})`);
    }
  };
  const descriptor = orNotWritten(() => openSync(path, isContinued ? 'a' : 'w', fileMode));
  return {
    async write(text) {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length;) at += orNotWritten(() => writeSync(descriptor, bytes, at));
      orNotWritten(() => fsyncSync(descriptor));
    },
    close: () => closeSync(descriptor),
  };
}
