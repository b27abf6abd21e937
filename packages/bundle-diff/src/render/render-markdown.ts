import type { BundleProblem } from '../bundle-problem.ts';
import type { FieldChange } from '../diff-bundles.ts';
import { fieldText, groupChanges, notListedLines, sumsText, titlesOf } from './change-lines.ts';
import type { ChangeGroup } from './change-lines.ts';
import { assembleBlocks, summaryBytesMax } from './assemble-blocks.ts';
import type { Block } from './assemble-blocks.ts';
import { harmlessText } from './harmless-text.ts';
import { markdownText } from './markdown-text.ts';
import { plainPainter } from './painter.ts';
import { countProblems, renderProblems } from './render-problems.ts';
import { outcomeLines, verdictOf } from './render-result.ts';
import type { RenderResultOptions } from './render-result.ts';
import type { DiffSource, RenderedChange, RenderedDiff, RenderedResult } from './rendered-answers.ts';
import { valueTexts } from './value-text.ts';

/** Options of {@link renderDiffMarkdown} and {@link renderResultMarkdown}. */
export interface MarkdownOptions {
  /** Heading. Default: `Configuration`. */
  readonly title?: string;
  /** Bound of the whole text in UTF-8 bytes, at least 16 KiB. Default: `summaryBytesMax`. */
  readonly bytesMax?: number;
  /** Where a value of the bundle stands. Default: nowhere is said. */
  readonly placeOf?: (pointer: string) => string;
  /** What the live state is compared with, for the sums. Default: `bundle`. */
  readonly source?: DiffSource;
}

/** Rows of the table; the other collections share one. */
const rowsMax = 40;
/** Characters of a heading or a collection's name: the head of a summary must fit into any bound. */
const nameLengthMax = 64;

/** A difference as a summary for a pull request or a step: a table of counts, and every change in a block that unfolds. */
export function renderDiffMarkdown(
  diff: RenderedDiff & { readonly errors?: readonly BundleProblem[]; readonly warnings?: readonly BundleProblem[] },
  options: MarkdownOptions = {},
): string {
  const blocks = [...problemBlocks(diff, options), ...groupChanges(diff.changes).map(changeBlock)];
  return assembleBlocks(
    [heading(options), ...countTable(diff), ...notListedLines(diff), sumsText(diff.summary, options.source)],
    blocks,
    options.bytesMax ?? summaryBytesMax,
  );
}

/** The same for the answer of sync, import or rollback, with what became of it. */
export function renderResultMarkdown(
  result: RenderedResult,
  options: MarkdownOptions & Pick<RenderResultOptions, 'overwrite'> = {},
): string {
  const { diff, validation = { errors: [], warnings: [] } } = result;
  const outcomes = outcomeLines(result, plainPainter);
  const notDone: Block = { summary: 'not carried out', language: 'text', isOpen: true, lines: outcomes };
  const blocks = [
    ...problemBlocks(validation, options),
    ...(outcomes.length === 0 ? [] : [notDone]),
    ...groupChanges(diff.changes).map(changeBlock),
  ];
  const verdict = `**${verdictOf(result, options)}**`;
  return assembleBlocks(
    [heading(options), verdict, ...countTable(diff), ...notListedLines(diff), sumsText(diff.summary, options.source)],
    blocks,
    options.bytesMax ?? summaryBytesMax,
  );
}

function heading({ title = 'Configuration' }: MarkdownOptions): string {
  return `### ${markdownText(shortened(title))}`;
}

/** A name on one line, of a length that fits into any bound. */
function shortened(name: string): string {
  return harmlessText(name).slice(0, nameLengthMax).toWellFormed();
}

function countTable({ changes }: RenderedDiff): string[] {
  const groups = groupChanges(changes);
  if (groups.length === 0) return [];
  const rows = groups.slice(0, rowsMax).map(rowOf);
  if (groups.length > rowsMax) {
    rows.push(rowOf({ collection: 'others', changes: groups.slice(rowsMax).flatMap((group) => group.changes) }));
  }
  return [['| Collection | Create | Update | Delete |', '| --- | ---: | ---: | ---: |', ...rows].join('\n')];
}

function rowOf(group: ChangeGroup): string {
  const [create, update, gone] = countsOf(group);
  return `| ${markdownText(shortened(group.collection))} | ${create} | ${update} | ${gone} |`;
}

function countsOf({ changes }: ChangeGroup): readonly [number, number, number] {
  const count = (action: RenderedChange['action']) => changes.filter((change) => change.action === action).length;
  return [count('create'), count('update'), count('delete')];
}

function problemBlocks(
  { errors = [], warnings = [] }: { errors?: readonly BundleProblem[]; warnings?: readonly BundleProblem[] },
  { placeOf }: MarkdownOptions,
): Block[] {
  const blockOf = (problems: readonly BundleProblem[], level: 'error' | 'warning'): Block[] => {
    if (problems.length === 0) return [];
    const lines = renderProblems(problems, { level, ...(placeOf ? { placeOf } : {}) });
    return [{ summary: `${level}s: ${countProblems(problems)}`, language: 'text', isOpen: level === 'error', lines }];
  };
  return [...blockOf(errors, 'error'), ...blockOf(warnings, 'warning')];
}

function changeBlock(group: ChangeGroup): Block {
  const [create, update, gone] = countsOf(group);
  const parts = [
    ...(create > 0 ? [`${create} to create`] : []),
    ...(update > 0 ? [`${update} to update`] : []),
    ...(gone > 0 ? [`${gone} to delete`] : []),
  ];
  const titles = titlesOf(group);
  return {
    summary: `${shortened(group.collection)}: ${parts.join(', ')}`,
    language: 'diff',
    lines: group.changes.flatMap((change, position) => changeLines(change, titles[position] ?? '')),
  };
}

/** In the `diff` language a line is coloured by its first character; `!` is what changes. */
function changeLines(change: RenderedChange, title: string): string[] {
  if (change.action === 'create') return [`+ ${title}`];
  if (change.action === 'delete') return [`- ${title}`];
  return [`! ${title}`, ...(change.fields ?? []).flatMap(fieldLines)];
}

function fieldLines(field: FieldChange): string[] {
  if (field.secret_changed === true) return [`!     ${fieldText(field)}`];
  if (field.op !== 'replace') return [`${field.op === 'add' ? '+' : '-'}     ${fieldText(field)}`];
  const path = harmlessText(field.path);
  const [before, after] = valueTexts(field.old, field.new);
  return [`-     ${path}: ${before}`, `+     ${path}: ${after}`];
}
