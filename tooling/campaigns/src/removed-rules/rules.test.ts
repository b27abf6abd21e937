import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutRule } from './removed-rule.ts';
import { rules } from './rules.ts';

const root = join(import.meta.dirname, '../../../..');

it('are those of the page on security, one for each row', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\|(?! (?:Risk|Topic|---) )/.test(line));
  // A row that names no test is one that no rule is like.
  const tests = rows.map((row) => /`([^`]+\.test\.ts)`: ([^|]+) \|$/.exec(row)?.slice(1));
  expect(rules.map(({ test, title }) => [test, title])).toEqual(tests);
});

it.each(rules)('of $test: $title is in its files as the campaign takes it out', (rule) => {
  expect(rule.edits.length).toBeGreaterThan(0);
  for (const edit of rule.edits) {
    const source = readFileSync(join(root, edit.file), 'utf8');
    expect(withoutRule({ edits: [edit] }, edit.file, source)).not.toBe(source);
    expect(edit.from.length).toBeLessThan(200);
  }
});
