import { copyFile, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './support/guide.ts';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const mark = '--- next step ---';

const stepsOf = async (name: string) =>
  guideSteps(await readFile(new URL(`../docs/guides/${name}.md`, import.meta.url), 'utf8'));

describe('the guide of operating the control plane', () => {
  let stack: Stack;
  const gateways = '/api/v1/admin/gateways?tenant_id=default';

  beforeAll(async () => {
    stack = await startStack();
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it('prints what it shows, and its backup can be restored', async () => {
    await stack.admin.call('POST', gateways, { id: 'kept', name: 'kept' });
    const [signIn] = await stepsOf('administration-api');
    const own = await stepsOf('operating-the-control-plane');
    const steps = signIn ? [signIn, ...own] : own;
    const here: readonly (readonly [string, string])[] = [
      ['http://127.0.0.1:8001', stack.adminUrl],
      ['the-password-that-the-first-npm-start-printed', `'${superAdministrator.password}'`],
      ['\\"admin\\"', `\\"${superAdministrator.username}\\"`],
      ['DATA=.portcullis', `DATA='${dirname(stack.folder.join('portcullis.db'))}'`],
    ];
    const script = here.reduce((text, [from, to]) => text.replaceAll(from, to), scriptOf(steps, mark));
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const shell = await startProcess({ command: 'sh', args: ['-c', script], env: { PATH: path } });
    expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
    const wanted = steps.map((step) => step.printed?.replace(/^admin$/m, superAdministrator.username) ?? '');
    expect(shell.stdout().split(`${mark}\n`).slice(1)).toEqual(wanted);

    await stack.admin.call('POST', gateways, { id: 'lost', name: 'lost' });
    process.kill(stack.controlPlane().pid, 'SIGKILL');
    await stack.controlPlane().exited;
    const file = stack.folder.join('portcullis.db');
    await copyFile(stack.folder.join('backup.db'), file);
    await Promise.all([`${file}-wal`, `${file}-shm`].map((left) => rm(left, { force: true })));
    await stack.startControlPlane();
    const answer = await stack.admin.call('GET', gateways);
    expect(answer.body.items.map(({ id }: { id: string }) => id)).toEqual(['kept']);
    expect((await fetch(`${stack.adminUrl}/ready`)).status).toBe(200);
  });
});
