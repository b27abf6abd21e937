import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';

it('the example of the README runs and prints what the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const child = await startProcess({
    args: ['--conditions=@portcullis/source', '--input-type=module-typescript', '--eval', String(code)],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  const exit = await child.exited;
  expect([exit.code, child.stderr(), child.stdout()]).toEqual([0, '', printed]);
});
