import {
  createVerifier,
  ExportLineError,
  type LogBase,
  type LogScope,
  parseExportLine,
  parseVerifierKey,
  type Verdict,
  type Verifier,
} from '@portcullis/audit-chain';
import { CommandFailure } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { printDocument } from '../../output/document.ts';
import { printWarning } from '../../output/messages.ts';
import { coloured } from '../../output/terminal.ts';
import { type ReadLine, linesOf } from './line-reader.ts';
import { parseBase } from './log-base.ts';
import { keysOf, notesIn } from './saved-checkpoints.ts';

/** Options of `gwctl audit verify`. */
export interface VerifyLogOptions extends GlobalOptions {
  readonly key: readonly string[];
  readonly checkpoint: readonly string[];
  readonly allTenants: boolean;
  readonly tenantId?: string;
}

/** Exit codes of its own. Source: decisions, 14. */
export const verifyExitCodes = { whole: 0, tampered: 2, undecidable: 3 } as const;

/** Verifies an export without a server, in bounded memory, and says where it first is not what was logged. */
export async function verifyLog(options: VerifyLogOptions, file: string): Promise<number> {
  const verdict = await verdictOf(options, file);
  const exitCode = verdict.outcome === 'valid' ? verifyExitCodes.whole : verifyExitCodes[verdict.outcome];
  if (verdict.outcome === 'valid' && verdict.sealed < verdict.checked && options.checkpoint.length === 0) {
    printWarning('no checkpoint was given: a log that was written anew from its first record would look the same');
  }
  for (const { sequence, behindMs } of verdict.findings) {
    printWarning(
      `record ${sequence} is ${Math.round(behindMs / 1000)} s older than one before it: a clock was set back`,
    );
  }
  await printDocument(options.outputFormat, documentOf(verdict), () => textOf(verdict));
  return exitCode;
}

async function verdictOf(options: VerifyLogOptions, file: string): Promise<Verdict> {
  const keys = await keysOf(options.key, verifyExitCodes.undecidable);
  let opening: { verifier?: Verifier; base?: LogBase } = {};
  let isCut = false;
  for await (const lines of linesOf(file, verifyExitCodes.undecidable)) {
    let isOver = false;
    for (const line of lines) {
      if (line.isCut) isCut = true;
      else if (!opening.verifier && !opening.base && line.text.startsWith('{"base"')) {
        opening = { base: parseBase(line.text) ?? undecidable(`${file}:1: this is no beginning of an export`) };
      } else {
        opening.verifier ??= await verifierFor(options, keys, { line, base: opening.base, file });
        isOver = !opening.verifier.pushLine(line.text);
      }
      if (isOver) break;
    }
    if (isOver) break;
  }
  const verifier =
    opening.verifier ?? (await verifierFor(options, keys, { line: undefined, base: opening.base, file }));
  const verdict = verifier.finish({ isCut });
  // The line with the beginning of a cut log is none of a record.
  if (verdict.outcome === 'valid' || verdict.line === undefined || !opening.base) return verdict;
  return { ...verdict, line: verdict.line + 1 };
}

interface Beginning {
  /** The first record; nothing of an empty export. */
  readonly line: ReadLine | undefined;
  readonly base: LogBase | undefined;
  readonly file: string;
}

/** The verifier of the log that the options name, or the first record shows. */
async function verifierFor(
  options: VerifyLogOptions,
  keys: readonly string[],
  beginning: Beginning,
): Promise<Verifier> {
  const scope = scopeOf(options, beginning);
  const [origin] = keys.map((key) => originOf(parseVerifierKey(key).name, scope));
  const notes: string[] = [];
  for (const file of options.checkpoint) notes.push(...(await notesIn(file, origin, verifyExitCodes.undecidable)));
  return createVerifier({
    scope,
    base: beginning.base ?? unknownBase(beginning, scope),
    checkpoints: notes,
    keys,
    ...(origin !== undefined && { origin }),
  });
}

/** What comes before a part of a log, as its first record says: enough to check the part, not to compare it with a checkpoint. */
function unknownBase({ line }: Beginning, scope: LogScope): LogBase | undefined {
  const record = recordIn(line);
  if (record === undefined) return undefined;
  const sequence = scope.kind === 'global' ? record.global_sequence : record.tenant_sequence;
  if (sequence === 1) return undefined;
  const hash = scope.kind === 'global' ? record.global_previous_hash : record.previous_hash;
  return { head: { sequence: sequence - 1, hash } };
}

/** The log's name is that of its keys. */
function originOf(name: string, scope: LogScope): string {
  if (scope.kind === 'global') return name;
  return scope.tenantId === '' ? `${name}/system` : `${name}/tenants/${scope.tenantId}`;
}

function scopeOf({ allTenants, tenantId }: VerifyLogOptions, beginning: Beginning): LogScope {
  if (allTenants) return { kind: 'global' };
  if (tenantId !== undefined) return { kind: 'tenant', tenantId };
  const record = recordIn(beginning.line);
  if (record === undefined) return { kind: 'global' };
  // Only the log over all tenants has records of none, and it begins with one.
  const tenant = /"tenant_id":("(?:[^"\\]|\\.)*")/.exec(record.canonical)?.[1];
  if (tenant === undefined || beginning.base?.tenants !== undefined || record.global_sequence === 1)
    return { kind: 'global' };
  if (record.tenant_sequence === 1 || beginning.base !== undefined)
    return { kind: 'tenant', tenantId: JSON.parse(tenant) as string };
  return undecidable(`${beginning.file} does not begin with a first record: say --all-tenants or --tenant-id`);
}

function recordIn(line: ReadLine | undefined): ReturnType<typeof parseExportLine>['record'] | undefined {
  if (line === undefined) return undefined;
  try {
    return parseExportLine(line.text).record;
  } catch (error) {
    // The verifier says the same, with the place.
    if (error instanceof ExportLineError) return undefined;
    throw error;
  }
}

function undecidable(message: string): never {
  throw new CommandFailure(message, [], verifyExitCodes.undecidable);
}

function documentOf(verdict: Verdict): Readonly<Record<string, unknown>> {
  const { outcome, checked, head, sealed, redacted, findings } = verdict;
  const summary = { checked, sealed, redacted, head, findings };
  if (outcome === 'valid') return { outcome: 'whole', ...summary, root: verdict.root ?? null };
  const { detail, line = null } = verdict;
  if (outcome === 'undecidable') return { outcome, reason: verdict.reason, line, detail, ...summary };
  return { outcome, kind: verdict.kind, first_bad: verdict.firstBad, line, detail, ...summary };
}

function textOf(verdict: Verdict): string {
  const { checked, sealed } = verdict;
  const counts = `${checked} records are good, ${sealed} of them covered by a checkpoint`;
  const place = verdict.outcome === 'valid' || verdict.line === undefined ? '' : ` (line ${verdict.line})`;
  switch (verdict.outcome) {
    case 'valid':
      return `${coloured('green', 'whole')}: ${counts}`;
    case 'tampered':
      return `${coloured('red', 'tampered')}: ${verdict.kind} at sequence ${verdict.firstBad}${place}: ${verdict.detail}\n${counts}`;
    case 'undecidable':
      return `${coloured('yellow', 'cannot decide')}: ${verdict.reason}${place}: ${verdict.detail}\n${counts}`;
  }
}
