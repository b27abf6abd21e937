import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './support/guide.ts';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const descriptions = createRequire(new URL('../apps/gwctl/package.json', import.meta.url));
const mark = '--- next step ---';

describe('an OpenAPI description becomes routes', () => {
  let stack: Stack;

  const gwctl = async (...args: string[]): Promise<string> => {
    const run = await stack.gwctl(...args);
    expect(run.code, `gwctl ${args.join(' ')}: ${run.stdout}\n${run.stderr}`).toBe(0);
    return run.stdout;
  };

  beforeAll(async () => {
    stack = await startStack();
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
    const { username, password } = superAdministrator;
    const credentials = ['--username', username, '--password', password, '--tenant-id', 'default'];
    await gwctl('--api-url', stack.adminUrl, 'login', ...credentials);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it('as the guide says, word for word', async () => {
    const steps = guideSteps(
      await readFile(new URL('../docs/guides/from-openapi-to-routes.md', import.meta.url), 'utf8'),
    );
    const here: readonly (readonly [string, string])[] = [
      ['shop.openapi.yaml', stack.folder.join('shop.openapi.yaml')],
      ['shop.bundle.yaml', stack.folder.join('shop.bundle.yaml')],
    ];
    const moved = (text: string): string => here.reduce((all, [from, to]) => all.replaceAll(from, to), text);
    const shell = await startProcess({
      command: 'sh',
      args: ['-c', moved(scriptOf(steps, mark))],
      cwd: root,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        GWCTL_CONFIG: stack.folder.join('gwctl.json'),
      },
    });
    expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
    const printed = shell.stdout().split(`${mark}\n`).slice(1);
    expect(printed).toEqual(steps.map((step) => moved(step.printed ?? '')));
  });

  it.each([
    ['3.0/json/petstore.json', []],
    ['3.0/json/star-trek.json', ['--routes-per', 'operation']],
    ['3.0/json/server-path-level.json', ['--gateway', 'shop', '--url', 'http://10.0.0.1']],
    ['3.1/yaml/readme.yaml', []],
    ['3.1/json/train-travel.json', ['--service-name', 'trains']],
  ])('%s is valid, applied at once, and the same when it is applied again', async (name, options) => {
    const [file, bundle] = [descriptions.resolve(`@readme/oas-examples/${name}`), stack.folder.join('bundle.yaml')];
    await gwctl('config', 'convert', 'openapi', file, ...options, '--output', bundle);
    await gwctl('validate', bundle, '--strict');
    const applied = JSON.parse(await gwctl('sync', bundle, '--apply', '-o', 'json')) as Record<string, unknown>;
    expect(applied).toMatchObject({ status: 'success', counts: { updated: 0, failed: 0 } });
    expect(JSON.parse(await gwctl('diff', bundle, '-o', 'json'))).toMatchObject({ in_sync: true });
  });

  it('and a gateway sends requests of its operations below the base path of its server', async () => {
    const description = {
      openapi: '3.0.3',
      info: { title: 'Parts', version: '2' },
      servers: [{ url: '/base/v2/' }],
      paths: {
        '/parts/{id}/files/{name}.{format}': { get: {} },
        '/parts/{id}/files/index.json': { get: {} },
        '/parts/{id}': { get: {}, put: {} },
        '/caf\u00e9/{cup-size}': { get: {} },
        '/tree/{rest+}': { get: {} },
      },
    };
    const [file, bundle] = [stack.folder.join('parts.json'), stack.folder.join('parts.bundle.json')];
    await writeFile(file, JSON.stringify(description));
    await gwctl('config', 'convert', 'openapi', file, '--url', stack.upstream.url, '--output', bundle);
    await gwctl('sync', bundle, '--apply');
    const plane = stack.folder.join('plane.json');
    await writeFile(plane, JSON.stringify({ name: 'node-1' }));
    const created = await gwctl('create', 'data-plane', '--gateway-id', 'parts', '--file', plane, '-o', 'json');
    await stack.startGateway((JSON.parse(created) as { token: string }).token);
    await eventually(async () => (await fetch(`${stack.gatewayUrl}/parts/7`)).status === 200, { timeoutMs: 15_000 });

    const asked = async (method: string, path: string) => {
      const { status } = await fetch(stack.gatewayUrl + path, { method });
      const run = await stack.gwctl(
        'match',
        `http://h${path}`,
        '--method',
        method,
        '--gateway-id',
        'parts',
        '-o',
        'json',
      );
      const { route } = JSON.parse(run.stdout) as { route: { name: string } | null };
      return [status, route?.name, status === 200 ? stack.upstream.requests.at(-1)?.url : undefined];
    };
    expect(await asked('GET', '/parts/7')).toEqual([200, 'parts.parts.id', '/base/v2/parts/7']);
    expect(await asked('DELETE', '/parts/7')).toEqual([404, undefined, undefined]);
    expect(await asked('GET', '/parts/7/files/index.json')).toEqual([
      200,
      'parts.parts.id.files.index.json',
      '/base/v2/parts/7/files/index.json',
    ]);
    expect(await asked('GET', '/parts/7/files/a.png?x=1')).toEqual([
      200,
      'parts.parts.id.files.name.format',
      '/base/v2/parts/7/files/a.png?x=1',
    ]);
    expect(await asked('GET', '/caf%c3%A9/xl')).toEqual([200, 'parts.caf\u00e9.cup-size', '/base/v2/caf%C3%A9/xl']);
    expect(await asked('GET', '/tree/a/b/c')).toEqual([200, 'parts.tree.rest', '/base/v2/tree/a/b/c']);
  });
});
