import { appendFileSync } from 'node:fs';
import { CommandFailure } from '../failure.ts';
import { printWarning } from '../output/messages.ts';
import { checkReplaceable, checkWritable, replaceFile } from '../replace-file.ts';

/** Where GitHub Actions takes the summary of a step from; every command of the step adds to it. */
const stepSummaryVariable = 'GITHUB_STEP_SUMMARY';

/**
 * Finds out before anything is sent whether a summary can be written there.
 * @throws CommandFailure when it cannot, or no step runs
 */
export function checkSummary(destination: string | undefined): void {
  if (destination === undefined) return;
  if (destination !== 'github') return checkReplaceable(destination);
  const file = stepSummaryFile();
  if (file === '') throw new CommandFailure(`--summary github needs ${stepSummaryVariable}, which GitHub Actions sets`);
  checkWritable(file);
}

/**
 * Writes a Markdown summary: for `github` to the summary of the step that runs, else to a file, which is replaced. It tells
 * what was done, so one that cannot be written is a warning: the exit code is that of what was done.
 */
export function writeSummary(destination: string, markdown: string): void {
  try {
    if (destination === 'github') appendFileSync(stepSummaryFile(), `${markdown}\n`);
    else replaceFile(destination, markdown);
  } catch (error) {
    printWarning(`the summary is missing: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function stepSummaryFile(): string {
  return process.env[stepSummaryVariable] ?? '';
}
