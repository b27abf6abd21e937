import type { BundleDiff, BundleProblem, FieldChange, PositionFinder, ResourceChange } from '@portcullis/bundle-diff';
import { coloured, harmless } from '../output/terminal.ts';

/** Mistakes and warnings of a bundle that are listed at most. */
const problemsShownMax = 100;

/** One line for each change and one for each changed field, then the sums. */
export function diffText(diff: BundleDiff): string {
  const { create, update, unchanged, unmanaged } = diff.summary;
  const sums = `${create} to create, ${update} to update, ${unchanged} unchanged, ${unmanaged} not in the bundle`;
  return [...diff.changes.flatMap(changeLines), sums].join('\n');
}

/** One line for each mistake, with its place in the file. */
export function problemLines(
  problems: readonly BundleProblem[],
  level: 'error' | 'warning',
  file: string,
  positions: PositionFinder,
): string[] {
  const word = level === 'error' ? coloured('red', 'error') : coloured('yellow', 'warning');
  const lines = problems.slice(0, problemsShownMax).map((problem) => {
    const place = placeOf(problem.pointer, positions);
    const name = problem.name === null ? '' : ` (${problem.name})`;
    const text = harmless(`${problem.pointer || '/'}${name}: ${problem.message} [${problem.code}]`);
    return `${harmless(file)}${place} ${word} ${text}`;
  });
  return problems.length > lines.length ? [...lines, `… and ${problemCount(problems, lines.length)} more`] : lines;
}

/** How many problems there are beyond the first `shown`. A list that was cut says so in a line of its own. */
export function problemCount(problems: readonly BundleProblem[], shown = 0): string {
  const isCut = problems.at(-1)?.code === 'more_problems';
  return isCut ? `more than ${problems.length - 1 - shown}` : String(problems.length - shown);
}

/** `:line:column` of the value, or of what is nearest around it when the field is missing. */
function placeOf(pointer: string, positions: PositionFinder): string {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    const found = positions(place);
    if (found) return `:${found.line}:${found.column}:`;
    if (place === '') return ':';
  }
}

function changeLines(change: ResourceChange): string[] {
  const title = harmless(`${change.resource_type} ${change.name ?? change.id}`);
  if (change.action === 'create') return [coloured('green', `+ ${title}`)];
  return [coloured('yellow', `~ ${title}`), ...change.fields.map((field) => `    ${fieldLine(field)}`)];
}

function fieldLine(field: FieldChange): string {
  const path = harmless(field.path);
  if (field.secret_changed === true) return `${path}: (secret changed)`;
  if (field.op === 'add') return `${path}: + ${valueText(field.new)}`;
  if (field.op === 'remove') return `${path}: - ${valueText(field.old)}`;
  return `${path}: ${valueText(field.old)} → ${valueText(field.new)}`;
}

function valueText(value: unknown): string {
  return harmless(JSON.stringify(value) ?? 'null');
}
