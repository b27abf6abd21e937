import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './support/guide.ts';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const mark = '--- next step ---';
let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

it('docs/guides/declarative-configuration.md prints what it shows', async () => {
  const guide = await readFile(new URL('../docs/guides/declarative-configuration.md', import.meta.url), 'utf8');
  const steps = guideSteps(guide);
  const here: readonly (readonly [string, string])[] = [
    ['http://127.0.0.1:8001', stack.adminUrl],
    ['the-password-that-the-first-npm-start-printed', `'${superAdministrator.password}'`],
    ['\\"admin\\"', `\\"${superAdministrator.username}\\"`],
    ['--username admin', `--username ${superAdministrator.username}`],
    ['.portcullis/garden', stack.folder.join('garden')],
  ];
  const script = here.reduce((text, [from, to]) => text.replaceAll(from, to), scriptOf(steps, mark));
  const shell = await startProcess({
    command: 'sh',
    args: ['-c', script],
    cwd: root,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      GWCTL_CONFIG: stack.folder.join('gwctl.json'),
    },
  });
  expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
  const printed = shell.stdout().split(`${mark}\n`).slice(1);
  expect(printed).toEqual(steps.map((step) => step.printed ?? ''));
}, 180_000);
