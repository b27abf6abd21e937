import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutRule } from '../../campaigns/src/removed-rules/removed-rule.ts';
import { rules } from '../../campaigns/src/removed-rules/rules.ts';

const root = join(import.meta.dirname, '../../..');

const [, , ...rows] = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'));
const named = rows.map((row) => /`([^`]+\.test\.ts)`: ([^|]+) \|$/.exec(row)?.slice(1) ?? [row]);

it('names tests that are there, one in each row', () => {
  const missing = named.filter(
    ([file = '', title]) => title === undefined || !readFileSync(join(root, file), 'utf8').includes(title),
  );
  expect(rows.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

it('has a row for each rule that the campaign takes out, and none beside them', () => {
  expect(rules.map(({ test, title }) => [test, title])).toEqual(named);
});

it.each(rules)('$file has the rule of $test as the campaign takes it out', (rule) => {
  const source = readFileSync(join(root, rule.file), 'utf8');
  expect(withoutRule(rule, source)).not.toBe(source);
});
