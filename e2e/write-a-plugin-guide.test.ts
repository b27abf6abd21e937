import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePort, startProcess, temporaryFolder } from '@portcullis/testkit';
import type { RunningProcess, TemporaryFolder } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack, superAdministrator } from './support/stack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that the guide's reader has installed, by where this repository has them. */
const installed = {
  '@portcullis/plugin-runtime': 'packages/plugin-runtime',
  '@types/express': 'packages/plugin-runtime/node_modules/@types/express',
  '@types/node': 'node_modules/@types/node',
  express: 'packages/plugin-runtime/node_modules/express',
  valibot: 'packages/plugin-runtime/node_modules/valibot',
};

describe('docs/guides/write-a-plugin.md, followed word for word', () => {
  let folder: TemporaryFolder;
  let guide: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    guide = await readFile(join(root, 'docs/guides/write-a-plugin.md'), 'utf8');
    for (const [, path = '', text = ''] of guide.matchAll(/^\*\*`([^`]+)`\*\*\n\n```\w+\n([^]*?)^```$/gm)) {
      await mkdir(dirname(folder.join(path)), { recursive: true });
      await writeFile(folder.join(path), text);
    }
    for (const [name, target] of Object.entries(installed)) {
      const path = folder.join('node_modules', name);
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(root, target), path);
    }
  });
  afterAll(() => folder.remove());

  const shell = (script: string, readyWhen?: (child: RunningProcess) => boolean, env: Record<string, string> = {}) =>
    startProcess({
      command: 'sh',
      args: ['-ec', script],
      cwd: folder.path,
      env: {
        PATH: [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
        ...env,
      },
      ...(readyWhen && { readyWhen }),
    });
  const done = async (script: string): Promise<string> => {
    const child = await shell(script);
    expect(await child.exited, child.stdout() + child.stderr()).toEqual({ code: 0, signal: null });
    return child.stdout();
  };
  const scripts = async () => {
    const { scripts: named } = JSON.parse(await readFile(folder.join('package.json'), 'utf8')) as {
      scripts: { build: string; test: string };
    };
    return named;
  };

  it('its package is built, with types that hold, its tests and its server included', async () => {
    await writeFile(
      folder.join('tsconfig.all.json'),
      '{ "extends": "./tsconfig.json", "compilerOptions": { "noEmit": true, "rootDir": "." }, "include": ["src", "test", "server.ts"] }',
    );
    await done('tsc -p tsconfig.all.json');
    await done((await scripts()).build);
    const entry = await readFile(folder.join('dist/index.js'), 'utf8');
    expect(entry).toContain('./config.js');
    expect(await readFile(folder.join('dist/index.d.ts'), 'utf8')).toContain('partnerPass');
  });

  it('its tests pass, all six of them', async () => {
    const output = await done((await scripts()).test);
    expect(output).toMatch(/pass 6\b/);
  });

  it('its server answers as the guide says', async () => {
    const port = await freePort();
    const env = { PORT: String(port) };
    await using _server = await shell('exec node server.ts', (child) => child.stdout().includes('listening'), env);
    const [, command = '', printed = ''] = /```sh\n(curl [^]*?)```\n\n```text\n([^]*?)```/.exec(guide) ?? [];
    expect(await done(command.replaceAll('3000', String(port)).replace('curl', 'curl -sS'))).toBe(printed);
    const refused = await fetch(`http://127.0.0.1:${port}/`);
    expect([refused.status, await refused.text()]).toEqual([401, 'no partner\n']);
  });

  it('its plugin runs under the gateway that lists it', async () => {
    await using stack = await startStack();
    const { username, password } = superAdministrator;
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
    const tool = async (...args: readonly string[]): Promise<void> => {
      const done = await stack.gwctl(...args);
      expect(done, done.stderr).toMatchObject({ code: 0 });
    };
    const place = ['--api-url', stack.adminUrl, '--tenant-id', 'default'];
    await tool('login', ...place, '--username', username, '--password', password);
    const bundle = await readFile(folder.join('shop.yaml'), 'utf8');
    await writeFile(folder.join('shop.yaml'), bundle.replace('http://127.0.0.1:8002', stack.upstream.url));
    const [, commands = ''] = /```sh\n(gwctl [^]*?)```/.exec(guide) ?? [];
    for (const command of commands.trim().split('\n')) {
      const args = command.split(' ').slice(1);
      await tool(...args.map((arg) => (arg.endsWith('.yaml') ? folder.join(arg) : arg)));
    }
    const node = await stack.admin.call('POST', '/api/v1/admin/data-planes', {
      ...{ tenant_id: 'default', name: 'node-1' },
      gateway_id: (await stack.admin.call('GET', '/api/v1/admin/gateways?tenant_id=default')).body.items[0].id,
    });
    const [, setting = ''] = /```sh\n(PORTCULLIS_PLUGIN_PACKAGES=[^]*?)\n```/.exec(guide) ?? [];
    const [proxyPort, statusPort] = [await freePort(), await freePort()];
    const start = `${setting} exec node ${root}apps/gateway/dist/main.js`;
    await using gateway = await shell(start, (child) => child.stdout().includes('"listening"'), {
      PORTCULLIS_CONTROL_PLANE_URL: stack.adminUrl,
      PORTCULLIS_DATA_PLANE_TOKEN: node.body.token,
      PORTCULLIS_PROXY_PORT: String(proxyPort),
      PORTCULLIS_PROXY_TLS_PORT: '0',
      PORTCULLIS_STATUS_PORT: String(statusPort),
      PORTCULLIS_CACHE_DIR: folder.join('cache'),
    });
    const call = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${proxyPort}/`, { headers });
    const passes = async () => (await call({ 'x-partner-key': 'k1' })).status === 200;
    await eventually(passes, { timeoutMs: 30_000 }).catch((error: unknown) => {
      throw new Error(gateway.stdout() + gateway.stderr(), { cause: error });
    });
    expect(stack.upstream.requests.at(-1)?.headers).toMatchObject({ 'x-consumer-id': 'acme' });
    expect((await call({})).status).toBe(401);
  });
});
