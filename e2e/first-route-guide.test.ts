import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePort, startProcess } from '@portcullis/testkit';
import type { RunningProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Fixed places of `npm start`, which runs while the guide is followed. */
const takenPorts = ['8000', '8001', '8002', '8100'];

describe('docs/guides/first-route.md, followed word for word', () => {
  let stack: Stack;
  let guide: Guide;
  let here: readonly (readonly [string, string])[];
  let gateway: RunningProcess | undefined;

  beforeAll(async () => {
    stack = await startStack();
    // What `npm start` has done before the guide begins.
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
    guide = guideIn(await readFile(new URL('../docs/guides/first-route.md', import.meta.url), 'utf8'));
    const [proxyPort, tlsPort, statusPort] = [await freePort(), await freePort(), await freePort()];
    here = [
      ['http://127.0.0.1:8001', stack.adminUrl],
      ['http://127.0.0.1:8002', stack.upstream.url],
      ['http://127.0.0.1:8010', `http://127.0.0.1:${proxyPort}`],
      ['PORTCULLIS_PROXY_PORT=8010', `PORTCULLIS_PROXY_PORT=${proxyPort}`],
      ['PORTCULLIS_PROXY_TLS_PORT=8453', `PORTCULLIS_PROXY_TLS_PORT=${tlsPort}`],
      ['PORTCULLIS_STATUS_PORT=8110', `PORTCULLIS_STATUS_PORT=${statusPort}`],
      ['.portcullis/edge-cache', stack.folder.join('edge-cache')],
      ['--username admin', `--username ${superAdministrator.username} --password-stdin`],
      ['shop.yaml', stack.folder.join('shop.yaml')],
    ];
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const moved = (text: string): string => here.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const shell = (script: string, readyWhen?: (child: RunningProcess) => boolean) =>
    startProcess({
      command: 'sh',
      args: ['-ec', script],
      cwd: root,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        GWCTL_CONFIG: stack.folder.join('gwctl.json'),
      },
      input: `${superAdministrator.password}\n`,
      ...(readyWhen && { readyWhen }),
    });
  const done = async (script: string): Promise<string> => {
    const child = await shell(script);
    expect(await child.exited, child.stderr()).toEqual({ code: 0, signal: null });
    return child.stdout();
  };

  it('its gateway takes no port and no folder of the one that npm start runs', () => {
    const [, start = ''] = guide.step(4);
    const ports = [...start.matchAll(/_PORT=(\d+)/g)].map(([, port = '']) => port);
    expect(ports).toEqual(['8010', '8453', '8110']);
    expect(ports.filter((port) => takenPorts.includes(port))).toEqual([]);
    expect(start).toContain('PORTCULLIS_CACHE_DIR=.portcullis/edge-cache');
    expect(guide.step(5)[0]).toContain('http://127.0.0.1:8010/orders');
  });

  it('steps 1 to 3 sign in and apply the file', async () => {
    await writeFile(stack.folder.join('shop.yaml'), moved(guide.yaml));
    for (const commands of [...guide.step(1), ...guide.step(3)]) await done(moved(commands));
    const { body } = await stack.admin.call('GET', '/api/v1/admin/gateways/edge/routes/orders?tenant_id=default');
    expect(body).toMatchObject({ path: '/orders' });
  });

  it('steps 4 and 5 start a gateway that lets the key through as alice and refuses the rest', async () => {
    const { scripts } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [token = '', start = ''] = guide.step(4);
    // Not through npm, so that the one process that is ended is the gateway.
    const command = moved(start).replace('npm run gateway', scripts['gateway'] ?? '');
    gateway = await shell(`${moved(token)}\nexec env ${command}`, (child) => child.stdout().includes('"listening"'));
    const [calls = ''] = guide.step(5);
    const [withKey = '', without = ''] = moved(calls).trim().split('\n');
    // It listens before it has its configuration.
    await eventually(async () => (await done(withKey)).startsWith('HTTP/1.1 200'), { timeoutMs: 15_000 });
    expect(stack.upstream.requests.at(-1)?.headers).toMatchObject({ 'x-consumer-username': 'alice' });
    expect(await done(without)).toMatch(/^HTTP\/1\.1 401/);
  });
});

interface Guide {
  /** The document of step 2. */
  readonly yaml: string;
  /** The shell blocks of a step. */
  readonly step: (number: number) => readonly string[];
}

function guideIn(markdown: string): Guide {
  const steps = markdown.split(/^(?=\d+\. \*\*)/m);
  const blocks = (number: number, language: string): string[] => {
    const step = steps.find((text) => text.startsWith(`${number}. `)) ?? '';
    const fenced = step.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'));
    return [...fenced].map(([, block = '']) => block.replaceAll(/^ {3}/gm, ''));
  };
  const [yaml = ''] = blocks(2, 'yaml');
  return { yaml, step: (number) => blocks(number, 'sh') };
}
