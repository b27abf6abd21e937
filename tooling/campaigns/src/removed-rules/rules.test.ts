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

it.each(rules)('$file has the rule of $test as the campaign takes it out', (rule) => {
  const source = readFileSync(join(root, rule.file), 'utf8');
  expect(withoutRule(rule, source)).not.toBe(source);
});
