import { answerAs } from '../api/answer-as.ts';
import { openSession } from '../api/session.ts';
import type { SyncAnswer } from '../bundle/bundle-answers.ts';
import { diffText, problemLines } from '../bundle/bundle-text.ts';
import { exitCodes } from '../failure.ts';
import { readInputFile } from '../input-file.ts';
import type { InputFile } from '../input-file.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { coloured } from '../output/terminal.ts';

/** Options of `gwctl sync`. */
export interface SyncOptions extends GlobalOptions {
  readonly apply: boolean;
  readonly overwrite: boolean;
  readonly strict: boolean;
  readonly tenantId?: string;
}

const exitCodeOf: Readonly<Record<SyncAnswer['status'], number>> = {
  success: exitCodes.done,
  dry_run: exitCodes.done,
  partial_failure: exitCodes.partlyApplied,
  failed: exitCodes.failed,
};

/** Sends a bundle once. A dry run unless `--apply`; never sent again, because a write may have been carried out. */
export async function sync(options: SyncOptions, file: string): Promise<number> {
  const input = await readInputFile(file);
  const session = await openSession(options, options.apply ? 'write' : 'read');
  const { body } = await session.call('POST', '/api/v1/admin/config/sync', {
    query: {
      tenant_id: session.tenantId,
      dry_run: !options.apply,
      overwrite: options.overwrite,
      strict: options.strict,
    },
    body: input.text,
    contentType: input.contentType,
  });
  const answer = answerAs<SyncAnswer>(body, ['status', 'validation', 'diff', 'counts']);
  await printDocument(options.outputFormat, body, () => textOf(answer, input));
  return exitCodeOf[answer.status] ?? exitCodes.failed;
}

function textOf({ status, validation, diff, counts }: SyncAnswer, { file, positions }: InputFile): string {
  const problems = [
    ...problemLines(validation.errors, 'error', file, positions),
    ...problemLines(validation.warnings, 'warning', file, positions),
  ];
  const changes = diffText(diff);
  if (status !== 'failed') return [...problems, changes, verdictOf(status, counts)].join('\n');
  const planned = diff.changes.length === 0 ? [] : ['These changes would have been made:', changes];
  return [...problems, ...planned, verdictOf(status, counts)].join('\n');
}

function verdictOf(status: SyncAnswer['status'], counts: Readonly<Record<string, number>>): string {
  const sums = ['created', 'updated', 'unchanged', 'skipped', 'failed'].flatMap((name) =>
    counts[name] === undefined ? [] : [`${counts[name]} ${name}`],
  );
  if (status === 'dry_run') return 'dry run: nothing was changed (--apply does it)';
  if (status === 'failed') return coloured('red', 'failed: nothing was changed');
  const word = status === 'success' ? coloured('green', 'applied') : coloured('red', 'partly applied');
  return `${word}: ${sums.join(', ')}`;
}
