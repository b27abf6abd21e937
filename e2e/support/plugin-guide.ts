import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './guide.ts';
import { startProtectedRoutes } from './protected-routes.ts';
import type { ProtectedRoutes } from './protected-routes.ts';
import { superAdministrator } from './stack.ts';
import type { Stack } from './stack.ts';

const mark = '--- next step ---';

/** What a guide writes, and what stands for it where the test runs. */
type Replacements = readonly (readonly [string, string])[];

/**
 * Follows a guide against a control plane, a gateway and a service as `npm start` makes them: its commands print what it shows.
 * @param name of the file in `docs/guides`, without its suffix
 * @param more replacements of the guide's own
 */
export function describeGuide(name: string, more: (stack: Stack) => Promise<Replacements> | Replacements): void {
  describe(`docs/guides/${name}.md`, () => {
    followed(name, more);
  });
}

/** The same for a guide about plugins: its `json` blocks are plugin instances that the control plane takes. */
export function describePluginGuide(name: string, more: (stack: Stack) => Promise<Replacements> | Replacements): void {
  describe(`docs/guides/${name}.md`, () => {
    const { routes, guide } = followed(name, more);

    it('shows configs that its plugins take', async () => {
      const blocks = [...guide().matchAll(/```json\n([^]*?)```/g)].map(
        ([, text = '']) => JSON.parse(text) as { name: string; config: object },
      );
      expect(blocks.length).toBeGreaterThan(0);
      for (const plugin of blocks) {
        const made = await routes().admin('POST', '/plugins', { ...plugin, enabled: false });
        expect(made.name).toBe(plugin.name);
      }
    });
  });
}

function followed(
  name: string,
  more: (stack: Stack) => Promise<Replacements> | Replacements,
): { readonly routes: () => ProtectedRoutes; readonly guide: () => string } {
  let routes: ProtectedRoutes;
  let guide: string;
  beforeAll(async () => {
    guide = await readFile(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
    routes = await startProtectedRoutes({}, { gateway: 'quickstart', service: 'echo' });
  });
  afterAll(() => routes[Symbol.asyncDispose]());

  it('prints what it shows', async () => {
    const { stack } = routes;
    const steps = guideSteps(guide);
    const here: Replacements = [
      ['http://127.0.0.1:8001', stack.adminUrl],
      ['http://127.0.0.1:8000', stack.gatewayUrl],
      ['the-password-that-the-first-npm-start-printed', `'${superAdministrator.password}'`],
      ['\\"admin\\"', `\\"${superAdministrator.username}\\"`],
      ...(await more(stack)),
    ];
    const script = here.reduce((text, [from, to]) => text.replaceAll(from, to), scriptOf(steps, mark));
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const shell = await startProcess({ command: 'sh', args: ['-c', script], env: { PATH: path } });
    expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
    const printed = shell.stdout().split(`${mark}\n`).slice(1);
    expect(printed, shell.stderr()).toEqual(steps.map((step) => step.printed ?? ''));
  }, 240_000);
  return { routes: () => routes, guide: () => guide };
}
