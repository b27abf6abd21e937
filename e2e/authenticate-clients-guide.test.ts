import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { freePort, startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './support/guide.ts';
import { startProtectedRoutes } from './support/protected-routes.ts';
import type { ProtectedRoutes } from './support/protected-routes.ts';
import { superAdministrator } from './support/stack.ts';

const mark = '--- next step ---';
const guideFile = new URL('../docs/guides/authenticate-clients.md', import.meta.url);

describe('docs/guides/authenticate-clients.md', () => {
  let routes: ProtectedRoutes;
  let guide: string;
  beforeAll(async () => {
    guide = await readFile(guideFile, 'utf8');
    // What `npm start` has done before the guide begins.
    routes = await startProtectedRoutes({}, { gateway: 'quickstart', service: 'echo' });
  });
  afterAll(() => routes[Symbol.asyncDispose]());

  it('prints what it shows', async () => {
    const { stack } = routes;
    const steps = guideSteps(guide);
    const here: readonly (readonly [string, string])[] = [
      ['http://127.0.0.1:8001', stack.adminUrl],
      ['http://127.0.0.1:8000', stack.gatewayUrl],
      ['8003', String(await freePort())],
      ['the-password-that-the-first-npm-start-printed', `'${superAdministrator.password}'`],
      ['\\"admin\\"', `\\"${superAdministrator.username}\\"`],
      ['.portcullis/provider', stack.folder.join('provider')],
    ];
    const script = here.reduce((text, [from, to]) => text.replaceAll(from, to), scriptOf(steps, mark));
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const shell = await startProcess({ command: 'sh', args: ['-c', script], env: { PATH: path } });
    expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
    const printed = shell.stdout().split(`${mark}\n`).slice(1);
    expect(printed, shell.stderr()).toEqual(steps.map((step) => step.printed ?? ''));
  }, 240_000);

  it('shows configs that its plugins take', async () => {
    const blocks = [...guide.matchAll(/```json\n([^]*?)```/g)].map(
      ([, text = '']) => JSON.parse(text) as { name: string; config: object },
    );
    expect(blocks.length).toBeGreaterThan(0);
    for (const plugin of blocks) {
      const made = await routes.admin('POST', '/plugins', { ...plugin, enabled: false });
      expect(made.name).toBe(plugin.name);
    }
  });
});
