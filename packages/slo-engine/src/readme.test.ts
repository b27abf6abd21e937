import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/g)];

it.each(examples.map(([, code, printed], index) => [index + 1, code, printed]))(
  'example %i of the README runs and prints what the README says',
  async (_, code, printed) => {
    const flags = ['--conditions=@portcullis/source', '--disable-warning=ExperimentalWarning'];
    const child = await startProcess({
      args: [...flags, '--input-type=module-typescript', '--eval', String(code)],
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    });
    const exit = await child.exited;
    expect([exit.code, child.stderr(), child.stdout()]).toEqual([0, '', printed]);
  },
);

it('the README has both examples', () => {
  expect(examples.length).toBe(2);
});
