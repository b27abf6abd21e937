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
import { followedKeys } from './followed-keys.ts';
import { type ReadLine, linesOf } from './line-reader.ts';
import { parseBase } from './log-base.ts';
import { keysOf, notesIn } from './saved-checkpoints.ts';
import { scopeText, verdictDocument, verdictText, warningsOf } from './shown-verdict.ts';

/** Options of `gwctl audit verify`. */
export interface VerifyLogOptions extends GlobalOptions {
  readonly key: readonly string[];
  readonly checkpoint: readonly string[];
  readonly allTenants: boolean;
  readonly tenantId?: string;
  readonly prunedThrough?: string;
}

/** Exit codes of its own. Source: decisions, 14. */
export const verifyExitCodes = { whole: 0, tampered: 2, undecidable: 3 } as const;

/** Verifies an export without a server, in bounded memory, and says where it first is not what was logged. */
export async function verifyLog(options: VerifyLogOptions, file: string): Promise<number> {
  const { verdict, scope } = await verdictOf(options, file);
  for (const warning of warningsOf(verdict, options)) printWarning(warning);
  await printDocument(options.outputFormat, verdictDocument(verdict, scope), () => verdictText(verdict, scope));
  return verdict.outcome === 'valid' ? verifyExitCodes.whole : verifyExitCodes[verdict.outcome];
}

interface Verification {
  readonly verifier: Verifier;
  readonly scope: LogScope;
  /** Whether nothing says what came before the first record. */
  readonly isPart: boolean;
}

async function verdictOf(
  options: VerifyLogOptions,
  file: string,
): Promise<{ readonly verdict: Verdict; readonly scope: LogScope }> {
  const given = await keysOf(options.key, verifyExitCodes.undecidable);
  const keys = await followedKeys(given, options.checkpoint);
  let opening: { verification?: Verification; base?: LogBase } = {};
  let isCut = false;
  for await (const lines of linesOf(file, verifyExitCodes.undecidable)) {
    let isOver = false;
    for (const line of lines) {
      if (line.isCut) isCut = true;
      else if (!opening.verification && !opening.base && line.text.startsWith('{"base"')) {
        opening = { base: parseBase(line.text) ?? undecidable(`${file}:1: this is no beginning of an export`) };
      } else {
        opening.verification ??= await verifierFor(options, keys, { line, base: opening.base, file });
        isOver = !opening.verification.verifier.pushLine(line.text);
      }
      if (isOver) break;
    }
    if (isOver) break;
  }
  const { verifier, scope, isPart } =
    opening.verification ?? (await verifierFor(options, keys, { line: undefined, base: opening.base, file }));
  const verdict = verifier.finish({ isCut });
  if (verdict.outcome === 'valid' && isPart) {
    const detail = `the ${verdict.checked} records are good among themselves, and what comes before them is not here`;
    return { verdict: { ...verdict, outcome: 'undecidable', reason: 'no_base', line: undefined, detail }, scope };
  }
  // The line with the beginning of a cut log is none of a record.
  if (verdict.outcome === 'valid' || verdict.line === undefined || !opening.base) return { verdict, scope };
  return { verdict: { ...verdict, line: verdict.line + 1 }, scope };
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
): Promise<Verification> {
  const scope = scopeOf(options, beginning);
  const [origin] = keys.map((key) => originOf(parseVerifierKey(key).name, scope));
  const notes: string[] = [];
  for (const file of options.checkpoint) notes.push(...(await notesIn(file, origin, verifyExitCodes.undecidable)));
  if (options.checkpoint.length > 0 && notes.length === 0) {
    undecidable(
      origin === undefined
        ? 'other_log: there is no checkpoint in what was given'
        : `other_log: none of the checkpoints is of ${origin}, ${scopeText(scope)}: say --all-tenants or --tenant-id if the export is of another log`,
    );
  }
  const unknown = beginning.base ? undefined : unknownBase(beginning, scope);
  const verifier = createVerifier({
    scope,
    base: beginning.base ?? unknown,
    checkpoints: notes,
    keys,
    recordedRemovals: true,
    ...(options.prunedThrough !== undefined && { prunedThrough: Number(options.prunedThrough) }),
    ...(origin !== undefined && { origin }),
  });
  return { verifier, scope, isPart: unknown !== undefined };
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
