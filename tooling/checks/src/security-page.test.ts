import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

it('names tests that are there, one in each row', () => {
  const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?!Risk \||Topic \||---)/.test(line));
  const missing = rows.filter((row) => {
    const [, file, title] = /`([^`]+\.test\.ts)`: ([^|]+) \|$/.exec(row) ?? [];
    return file === undefined || title === undefined || !readFileSync(join(root, file), 'utf8').includes(title);
  });
  expect(rows.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});
