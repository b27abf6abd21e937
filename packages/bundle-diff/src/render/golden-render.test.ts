import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderDiff, renderDiffMarkdown, renderProblems, renderResult, renderResultMarkdown } from '../index.ts';
import type { BundleDiff, BundleProblem, RenderedResult } from '../index.ts';

const bundles = new URL('../testdata/', import.meta.url);
const answers = new URL('testdata/', import.meta.url);
const casesIn = (folder: URL): string[] => readdirSync(folder).filter((name) => /^\d{3}-/.test(name));
const read = (folder: URL, name: string): string => readFileSync(new URL(name, folder), 'utf8');

interface Outcome {
  readonly validation: { readonly errors: readonly BundleProblem[]; readonly warnings: readonly BundleProblem[] };
  readonly resolve_errors: readonly BundleProblem[];
  readonly diff: BundleDiff;
}

/** Each folder of a bundle holds how its mistakes and its difference read, for people and as a summary. */
describe('differences of the golden bundles', () => {
  it.each(casesIn(bundles))('%s', async (name) => {
    const { validation, resolve_errors, diff } = JSON.parse(read(bundles, `${name}/expected.json`)) as Outcome;
    const errors = validation.errors.length > 0 ? validation.errors : resolve_errors;
    const text = [
      ...renderProblems(errors, { level: 'error' }),
      ...renderProblems(validation.warnings, { level: 'warning' }),
      renderDiff(diff),
    ].join('\n');
    await expect(`${text}\n`).toMatchFileSnapshot(`../testdata/${name}/rendered.txt`);
    const markdown = renderDiffMarkdown({ ...diff, errors, warnings: validation.warnings });
    await expect(markdown).toMatchFileSnapshot(`../testdata/${name}/summary.md`);
  });
});

/** Each folder holds an answer of sync, import or rollback, and how it reads. */
describe('answers', () => {
  it('there are some', () => expect(casesIn(answers).length).toBeGreaterThanOrEqual(5));

  it.each(casesIn(answers))('%s', async (name) => {
    expect(existsSync(new URL(`${name}/answer.json`, answers))).toBe(true);
    const answer = JSON.parse(read(answers, `${name}/answer.json`)) as RenderedResult;
    const text = renderResult(answer, {
      paint: (style, part) => `<${style}>${part}</${style}>`,
      placeOf: (pointer) => `bundle.yaml:${pointer.length}:1`,
      applyHint: '--apply does it',
    });
    await expect(`${text}\n`).toMatchFileSnapshot(`testdata/${name}/rendered.txt`);
    await expect(renderResultMarkdown(answer, { title: 'acme' })).toMatchFileSnapshot(`testdata/${name}/summary.md`);
  });
});
