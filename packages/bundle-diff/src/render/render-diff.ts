import type { FieldChange } from '../diff-bundles.ts';
import { fieldText, groupChanges, notListedLines, sumsText, titlesOf } from './change-lines.ts';
import { plainPainter } from './painter.ts';
import type { Painter, TextStyle } from './painter.ts';
import type { DiffSource, RenderedChange, RenderedDiff } from './rendered-answers.ts';

/** Options of {@link renderDiff}. */
export interface RenderDiffOptions {
  /** Default: no colours. */
  readonly paint?: Painter;
  /** What the live state is compared with, for the sums. Default: `bundle`. */
  readonly source?: DiffSource;
}

const signs: Readonly<Record<RenderedChange['action'], readonly [string, TextStyle]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  delete: ['-', 'red'],
};

const fieldActions: Readonly<Record<FieldChange['op'], RenderedChange['action']>> = {
  add: 'create',
  replace: 'update',
  remove: 'delete',
};

/**
 * A difference for people: by collection one line for each record, below those that are updated one for each field, then the
 * sums. Long values are shortened, and nothing in a name or value reaches a terminal as a command. No newline at the end.
 */
export function renderDiff(diff: RenderedDiff, options: RenderDiffOptions = {}): string {
  const paint = options.paint ?? plainPainter;
  const lines = groupChanges(diff.changes).flatMap((group) => {
    const titles = titlesOf(group);
    const changes = group.changes.flatMap((change, position) => changeLines(change, titles[position] ?? '', paint));
    return [paint('bold', group.collection), ...changes];
  });
  return [...lines, ...notListedLines(diff), sumsText(diff.summary, options.source)].join('\n');
}

function changeLines(change: RenderedChange, title: string, paint: Painter): string[] {
  const [sign, style] = signs[change.action];
  const head = `  ${paint(style, `${sign} ${title}`)}`;
  if (change.action !== 'update') return [head];
  return [head, ...(change.fields ?? []).map((field) => `      ${fieldLine(field, paint)}`)];
}

function fieldLine(field: FieldChange, paint: Painter): string {
  const [sign, style] = signs[fieldActions[field.op]];
  return `${paint(style, sign)} ${fieldText(field)}`;
}
