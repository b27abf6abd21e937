import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';

/** What the first example of a section of the README prints in a process of its own, and what the README says that it prints. */
export async function printedBySection(heading: string) {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [, code] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];
  const [, printed] = /```text\n([\s\S]*?)```/.exec(section) ?? [];
  const child = await startProcess({
    args: ['--conditions=@portcullis/source', '--input-type=module-typescript', '--eval', String(code)],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  const exit = await child.exited;
  return { exit, stderr: child.stderr(), stdout: child.stdout(), printed };
}
