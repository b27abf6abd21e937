import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutRule } from './removed-rule.ts';
import { rules } from './rules.ts';

const root = join(import.meta.dirname, '../../../..');

it('are those of the page on security, one for each row', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const rows = [...page.matchAll(/`([^`]+\.test\.ts)`: ([^|]+) \|$/gm)].map(([, test, title]) => [test, title]);
  expect(rules.map(({ test, title }) => [test, title])).toEqual(rows);
});

it.each(rules)('of $test: $title is in its files as the campaign takes it out', (rule) => {
  expect(rule.edits.length).toBeGreaterThan(0);
  for (const { file } of rule.edits) {
    const source = readFileSync(join(root, file), 'utf8');
    expect(withoutRule(rule, file, source)).not.toBe(source);
  }
});
