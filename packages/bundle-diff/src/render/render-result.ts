import { harmlessText } from './harmless-text.ts';
import { plainPainter } from './painter.ts';
import type { Painter } from './painter.ts';
import { renderDiff } from './render-diff.ts';
import { renderProblems } from './render-problems.ts';
import type { DiffSource, RenderedOutcome, RenderedResult } from './rendered-answers.ts';

/** Options of {@link renderResult}. */
export interface RenderResultOptions {
  /** Default: no colours. */
  readonly paint?: Painter;
  /** Where a value of the bundle stands. Default: nowhere is said. */
  readonly placeOf?: (pointer: string) => string;
  /** How a dry run is made to do it, for instance `--apply does it`. Default: that is not said. */
  readonly applyHint?: string;
  /** What the live state is compared with, for the sums. Default: `bundle`. */
  readonly source?: DiffSource;
  /** Whether live records that differ were to be changed; otherwise a dry run says that it would skip them. Default: true. */
  readonly overwrite?: boolean;
}

/** Records of one outcome, `failed` or `skipped`, that are listed at most. */
const outcomesMax = 100;

/**
 * The answer of sync, import or rollback for people: mistakes, changes, what failed or was skipped, the snapshot, and the
 * verdict last. No newline at the end.
 */
export function renderResult(result: RenderedResult, options: RenderResultOptions = {}): string {
  const { paint = plainPainter, placeOf } = options;
  const placed = { paint, ...(placeOf ? { placeOf } : {}) };
  const { errors, warnings } = result.validation ?? { errors: [], warnings: [] };
  return [
    ...renderProblems(errors, { level: 'error', ...placed }),
    ...renderProblems(warnings, { level: 'warning', ...placed }),
    ...changesOf(result, options),
    ...outcomeLines(result, paint),
    ...(result.snapshot ? [`snapshot ${harmlessText(result.snapshot.id)} keeps the state before`] : []),
    verdictOf(result, options),
  ].join('\n');
}

/** How an answer ends, in one line: nothing done, done, done in part, or failed. */
export function verdictOf(result: RenderedResult, options: RenderResultOptions): string {
  const { status, counts, diff } = result;
  const { applyHint, overwrite = true, paint = plainPainter } = options;
  if (status === 'dry_run') {
    const skipped = overwrite ? 0 : diff.summary.update;
    const left = skipped === 0 ? '' : `; of the changes, ${skipped} would be skipped: they overwrite`;
    return `dry run: nothing was changed${left}${applyHint === undefined ? '' : ` (${applyHint})`}`;
  }
  if (status === 'failed') return paint('red', 'failed: nothing was changed');
  const word = status === 'success' ? paint('green', 'applied') : paint('red', 'partly applied');
  const sums = ['created', 'updated', 'deleted', 'unchanged', 'skipped', 'failed'].flatMap((name) =>
    counts[name] === undefined ? [] : [`${counts[name]} ${name}`],
  );
  return `${word}: ${sums.join(', ')}`;
}

function changesOf({ status, diff }: RenderedResult, options: RenderResultOptions): string[] {
  const changes = renderDiff(diff, options);
  if (status !== 'failed') return [changes];
  return diff.changes.length === 0 ? [] : ['These changes would have been made:', changes];
}

/** One line for each record that failed or was skipped. */
export function outcomeLines(result: RenderedResult, paint: Painter): string[] {
  return [
    ...listed(result, 'failed', (outcome) => `${paint('red', 'failed')} ${titleOf(outcome)}: ${reasonOf(outcome)}`),
    ...listed(
      result,
      'skipped',
      (outcome) => `${paint('yellow', 'skipped')} ${titleOf(outcome)}: it is there and differs`,
    ),
  ];
}

function listed(
  { results = [], results_not_listed: notListed = 0, counts }: RenderedResult,
  action: 'failed' | 'skipped',
  lineOf: (outcome: RenderedOutcome) => string,
): string[] {
  const outcomes = results.filter((outcome) => outcome.action === action);
  const lines = outcomes.slice(0, outcomesMax).map(lineOf);
  // Of a list that was cut before it came, only the counts know how many there are.
  const total = notListed > 0 ? Math.max(outcomes.length, counts[action] ?? 0) : outcomes.length;
  return total > lines.length ? [...lines, `… and ${total - lines.length} more ${action}`] : lines;
}

function titleOf({ resource_type: collection, name, id }: RenderedOutcome): string {
  return harmlessText(`${collection} ${name ?? id ?? ''}`);
}

function reasonOf({ error }: RenderedOutcome): string {
  if (!error) return 'no reason was given';
  const pointer = error.pointer === undefined || error.pointer === '' ? '' : `${error.pointer} `;
  return harmlessText(`${pointer}${error.message} [${error.code}]`);
}
