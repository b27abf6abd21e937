import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(([, code, printed]) => ({
  code: String(code),
  printed: String(printed),
}));

it('has two examples: one by itself, and one with the guarded way out', () => {
  expect(examples.map(({ code }) => code.match(/'@portcullis\/[a-z/]+'/g))).toEqual([
    ["'@portcullis/integrations'", "'@portcullis/integrations/testing'"],
    ["'@portcullis/egress'", "'@portcullis/integrations'"],
  ]);
});

it.each(examples)('example %# of the README runs and prints what the README says', async ({ code, printed }) => {
  const child = await startProcess({
    args: ['--conditions=@portcullis/source', '--input-type=module-typescript', '--eval', code],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  const exit = await child.exited;
  expect([exit.code, child.stderr(), child.stdout()]).toEqual([0, '', printed]);
});
