import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './support/guide.ts';
import type { GuideStep } from './support/guide.ts';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const mark = '--- next step ---';

describe('the guides of the administration API, followed word for word', () => {
  let stack: Stack;
  let signIn: GuideStep | undefined;

  beforeAll(async () => {
    stack = await startStack();
    // What `npm start` has done before a guide begins.
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
    [signIn] = guideSteps(await textOf('administration-api'));
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  const textOf = (name: string): Promise<string> =>
    readFile(new URL(`../docs/guides/${name}.md`, import.meta.url), 'utf8');

  /** Does the steps in one shell. @returns what each printed */
  const follow = async (steps: readonly GuideStep[]): Promise<readonly string[]> => {
    const here: readonly (readonly [string, string])[] = [
      ['http://127.0.0.1:8001', stack.adminUrl],
      ['the-password-that-the-first-npm-start-printed', `'${superAdministrator.password}'`],
      ['\\"admin\\"', `\\"${superAdministrator.username}\\"`],
    ];
    const script = here.reduce((text, [from, to]) => text.replaceAll(from, to), scriptOf(steps, mark));
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const shell = await startProcess({ command: 'sh', args: ['-c', script], env: { PATH: path } });
    expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
    return shell.stdout().split(`${mark}\n`).slice(1);
  };

  it.each(['administration-api', 'tenants-and-roles'])('%s prints what it shows', async (name) => {
    const own = guideSteps(await textOf(name));
    // The second guide begins where the first one's first block ends.
    const steps = name === 'administration-api' || !signIn ? own : [signIn, ...own];
    const printed = await follow(steps);
    expect(printed).toHaveLength(steps.length);
    const wanted = steps.map((step) => step.printed?.replace(/^admin$/m, adminName(step)) ?? '');
    expect(printed).toEqual(wanted);
  });

  /** The guide's super administrator is called `admin`; the role of that name stays. */
  const adminName = ({ script }: GuideStep): string =>
    script.includes('actor_username') ? superAdministrator.username : 'admin';
});
