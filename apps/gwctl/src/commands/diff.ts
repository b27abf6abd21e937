import { renderDiff, renderDiffMarkdown, renderProblems, withStableIds } from '@portcullis/bundle-diff';
import { answerAs } from '../api/answer-as.ts';
import { diffSchema } from '../api/answers.ts';
import { openSession } from '../api/session.ts';
import type { DiffAnswer } from '../bundle/bundle-answers.ts';
import { compareLocally } from '../bundle/compare-locally.ts';
import { nameBothPlaces } from '../bundle/name-both-places.ts';
import { checkTenant, givenIds, readBundle } from '../bundle/read-bundle.ts';
import type { BundleInput } from '../bundle/read-bundle.ts';
import { sendBundle } from '../bundle/send-bundle.ts';
import { checkSummary, writeSummary } from '../bundle/write-summary.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { coloured } from '../output/terminal.ts';

/** Options of `gwctl diff`. */
export interface DiffOptions extends GlobalOptions {
  readonly tenantId?: string;
  readonly strict?: boolean;
  readonly current?: string;
  readonly summary?: string;
}

/** Compares a bundle with the live state, or with another bundle: exit code 2 tells scripts that something differs. */
export async function diff(options: DiffOptions, files: readonly string[]): Promise<number> {
  checkSummary(options.summary);
  const input = await readBundle(files);
  const found = await (options.current === undefined
    ? compareLive(options, input)
    : compareFiles(options, input, options.current));
  const answer = withStableIds(found, givenIds(input));
  const errors = nameBothPlaces(answer.errors, input);
  const { placeOf } = input;
  await printDocument(options.outputFormat, answer, () =>
    [
      ...renderProblems(errors, { level: 'error', placeOf, paint: coloured }),
      ...renderProblems(answer.warnings, { level: 'warning', placeOf, paint: coloured }),
      renderDiff(answer, { paint: coloured }),
    ].join('\n'),
  );
  if (options.summary !== undefined) {
    const title = `Configuration of ${answer.tenant_id}`;
    writeSummary(options.summary, renderDiffMarkdown({ ...answer, errors }, { title, placeOf }));
  }
  if (errors.length > 0) return exitCodes.failed;
  return answer.in_sync ? exitCodes.done : exitCodes.differences;
}

async function compareLive(options: DiffOptions, input: BundleInput): Promise<DiffAnswer> {
  const session = await openSession(options, 'read');
  return answerAs(await sendBundle(session, 'diff', input, { strict: options.strict }), diffSchema);
}

async function compareFiles(options: DiffOptions, input: BundleInput, current: string): Promise<DiffAnswer> {
  checkTenant(input, options.tenantId);
  return compareLocally(input, await readBundle([current]), { strict: options.strict === true });
}
