import type { DiffSource } from '@portcullis/bundle-diff';
import { renderResult, renderResultMarkdown, withStableIds } from '@portcullis/bundle-diff';
import { answerAs } from '../api/answer-as.ts';
import { applySchema } from '../api/answers.ts';
import type { Success } from '../api/session.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { coloured } from '../output/terminal.ts';
import type { ApplyAnswer } from './bundle-answers.ts';
import { nameBothPlaces } from './name-both-places.ts';
import { givenIds } from './read-bundle.ts';
import type { BundleInput } from './read-bundle.ts';
import { writeSummary } from './write-summary.ts';

/** What a report needs beside the answer. */
export interface ReportOptions extends Pick<GlobalOptions, 'outputFormat'> {
  readonly summary?: string;
  /** Heading of the summary. */
  readonly title: string;
  /** How a dry run is made to do it. */
  readonly applyHint: string;
  /** What the live state is compared with. Default: a bundle. */
  readonly source?: DiffSource;
  /** Whether live records that differ were to be changed. Default: true. */
  readonly overwrite?: boolean;
  /** The bundle that was sent, where one was. */
  readonly input?: BundleInput;
}

const exitCodeOf: Readonly<Record<ApplyAnswer['status'], number>> = {
  success: exitCodes.done,
  dry_run: exitCodes.done,
  partial_failure: exitCodes.partlyApplied,
  failed: exitCodes.failed,
};

/** Prints what sync, import or rollback answered, writes the summary, and gives the exit code. */
export async function reportApply(given: Success, options: ReportOptions): Promise<number> {
  const { input, title, applyHint, source = 'bundle', overwrite = true } = options;
  const answer = settled(answerAs(given, applySchema), input);
  const shown = input ? withBothPlaces(answer, input) : answer;
  const placed = { source, overwrite, ...(input ? { placeOf: input.placeOf } : {}) };
  await printDocument(options.outputFormat, answer, () =>
    renderResult(shown, { paint: coloured, applyHint, ...placed }),
  );
  if (options.summary !== undefined) writeSummary(options.summary, renderResultMarkdown(shown, { title, ...placed }));
  return exitCodeOf[answer.status];
}

/** An answer to nothing but a question is the same for the same state: no made-up IDs in it, and no time that it took. */
function settled(answer: ApplyAnswer, input: BundleInput | undefined): ApplyAnswer {
  if (answer.status !== 'dry_run') return answer;
  const { duration_ms: _time, ...rest } = answer as ApplyAnswer & { readonly duration_ms?: number };
  return { ...rest, diff: input ? withStableIds(rest.diff, givenIds(input)) : rest.diff };
}

function withBothPlaces(answer: ApplyAnswer, input: BundleInput): ApplyAnswer {
  const { validation } = answer;
  if (!validation) return answer;
  return { ...answer, validation: { ...validation, errors: nameBothPlaces(validation.errors, input) } };
}
