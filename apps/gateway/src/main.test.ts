import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually, startProcess, startUpstream, temporaryFolder, type RunningProcess } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { FakeControlPlane, testToken } from './testing/fake-control-plane.test-support.ts';
import { everythingTo } from './testing/test-gateway.test-support.ts';

const args = ['--conditions=@portcullis/source', fileURLToPath(new URL('main.ts', import.meta.url))];

/** The `listening` line of a process. */
function listening(child: RunningProcess): { proxy_port: number; status_port: number } | undefined {
  const line = child
    .stdout()
    .split('\n')
    .find((text) => text.includes('"listening"'));
  return line === undefined ? undefined : (JSON.parse(line) as { proxy_port: number; status_port: number });
}

/** Starting processes from source may take long on a busy machine. */
const timeoutMs = 60_000;

describe('the process', { timeout: timeoutMs * 2 }, () => {
  it('says its real ports, finishes what it has on SIGTERM, reports it, and ends with 0', async () => {
    let finish: (() => void) | undefined;
    await using upstream = await startUpstream({ stream: (_req, res) => void (finish = () => res.end('finished')) });
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    const url = await controlPlane.listen();
    controlPlane.publish(everythingTo(upstream.url));
    await using child = await startProcess({
      args,
      env: {
        PORTCULLIS_CONTROL_PLANE_URL: url,
        PORTCULLIS_DATA_PLANE_TOKEN: testToken,
        PORTCULLIS_CACHE_DIR: folder.path,
        PORTCULLIS_PROXY_PORT: '0',
        PORTCULLIS_PROXY_TLS_PORT: '0',
        PORTCULLIS_STATUS_PORT: '0',
        PORTCULLIS_DRAIN_SECONDS: '60',
      },
      readyWhen: (running) => listening(running) !== undefined && controlPlane.acks.length > 0,
      readyTimeoutMs: timeoutMs,
    });
    const ports = listening(child);
    expect((await fetch(`http://127.0.0.1:${ports?.status_port}/ready`)).status).toBe(200);
    const underway = fetch(`http://127.0.0.1:${ports?.proxy_port}/`);
    await eventually(() => finish !== undefined, { timeoutMs });
    const ended = child.kill('SIGTERM');
    await eventually(async () => (await fetch(`http://127.0.0.1:${ports?.status_port}/ready`)).status === 503, {
      timeoutMs,
    });
    finish?.();
    const answer = await underway;
    expect([answer.status, await answer.text()]).toEqual([200, 'finished']);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(controlPlane.countedRequests()).toBe(1);
    expect(child.stdout().trim().split('\n').at(-1)).toMatch(/"requests_cut":0,.*"msg":"stopped"/);
    expect(child.stdout() + child.stderr()).not.toContain(testToken);
  });

  it('says in one sentence that a port is taken, and ends with 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    await using folder = await temporaryFolder();
    const child = await startProcess({
      args,
      env: {
        PORTCULLIS_CONTROL_PLANE_URL: 'http://127.0.0.1:1',
        PORTCULLIS_DATA_PLANE_TOKEN: testToken,
        PORTCULLIS_CACHE_DIR: folder.path,
        PORTCULLIS_PROXY_PORT: `${port}`,
        PORTCULLIS_PROXY_TLS_PORT: '0',
        PORTCULLIS_STATUS_PORT: '0',
      },
    });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(child.stderr()).toMatch(new RegExp(`^Port ${port} is in use by another program; .*\\n$`));
    taken.close();
  });

  it('serves without TLS, and says so, while another program has the port that nobody chose', async () => {
    const other = createServer();
    // Who has it does not matter: somebody has.
    await new Promise((resolve) => {
      other.once('error', resolve);
      other.listen(8443, '127.0.0.1', () => resolve(undefined));
    });
    await using folder = await temporaryFolder();
    await using child = await startProcess({
      args,
      env: {
        PORTCULLIS_CONTROL_PLANE_URL: 'http://127.0.0.1:1',
        PORTCULLIS_DATA_PLANE_TOKEN: testToken,
        PORTCULLIS_CACHE_DIR: folder.path,
        PORTCULLIS_PROXY_PORT: '0',
        PORTCULLIS_STATUS_PORT: '0',
      },
      readyWhen: ({ stdout }) => stdout().includes('"listening"'),
    });
    expect(child.stdout()).toContain('no TLS is taken: another program has port 8443');
    expect(child.stdout()).toContain('"proxy_tls_port":0');
    other.close();
  });

  it.each(['1', '2'])(
    'with %s workers says in one sentence which plugin package does not load, and ends with 1',
    async (workers) => {
      await using folder = await temporaryFolder();
      await using child = await startProcess({
        args,
        env: {
          PORTCULLIS_CONTROL_PLANE_URL: 'http://127.0.0.1:1',
          PORTCULLIS_DATA_PLANE_TOKEN: testToken,
          PORTCULLIS_CACHE_DIR: folder.path,
          PORTCULLIS_PROXY_PORT: '0',
          PORTCULLIS_PROXY_TLS_PORT: '0',
          PORTCULLIS_STATUS_PORT: '0',
          PORTCULLIS_WORKERS: workers,
          PORTCULLIS_PLUGIN_PACKAGES: folder.join('missing.mjs'),
        },
      });
      expect(await child.exited).toEqual({ code: 1, signal: null });
      expect(child.stderr().trim().split('\n')).toEqual([expect.stringContaining('missing.mjs cannot be loaded')]);
    },
  );

  it('names every mistake in the settings at once', async () => {
    const env = {
      PORTCULLIS_PROXY_PORT: '70000',
      PORTCULLIS_WORKERS: 'four',
      PORTCULLIS_TRUSTED_PROXIES: '10.0.0.0/99',
    };
    const child = await startProcess({ args, env });
    expect((await child.exited).code).toBe(1);
    const lines = child.stderr().trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'PORTCULLIS_CONTROL_PLANE_URL',
      'PORTCULLIS_DATA_PLANE_TOKEN',
      'PORTCULLIS_PROXY_PORT',
      'PORTCULLIS_TRUSTED_PROXIES',
      'PORTCULLIS_WORKERS',
    ]);
  });

  it('explains itself', async () => {
    const child = await startProcess({ args: [...args, '--help'] });
    expect((await child.exited).code).toBe(0);
    expect(child.stdout()).toContain('PORTCULLIS_DATA_PLANE_TOKEN');
  });
});
