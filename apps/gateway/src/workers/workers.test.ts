import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, exchangeRaw } from '../testing/test-gateway.test-support.ts';
import { childrenOf, portsOf, startNode, timeoutMs } from './started-node.test-support.ts';

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a node of two workers', () => {
  it(
    'is one node: one acknowledgement, every request counted once, one status port; a killed worker comes back',
    async () => {
      await using upstream = await startUpstream((_req, res) => void res.end('ok'));
      await using controlPlane = new FakeControlPlane();
      await using folder = await temporaryFolder();
      await controlPlane.listen();
      controlPlane.publish(everythingTo(upstream.url));
      await using node = await startNode(controlPlane, folder.path);
      const { proxy_port: proxyPort, status_port: statusPort } = await eventually(() => portsOf(node));
      const status = async (path: string): Promise<string> =>
        (await fetch(`http://127.0.0.1:${statusPort}${path}`)).text();
      const get = async (): Promise<void> => {
        const raw = await exchangeRaw(proxyPort, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        expect(raw).toMatch(/^HTTP\/1\.1 200 /);
      };
      expect(node.stdout()).toContain('count for each worker by itself');
      for (let count = 0; count < 10; count += 1) await get();
      expect(controlPlane.acks).toMatchObject([{ revision: 1, status: 'applied' }]);
      expect(await status('/health')).toBe('{"status":"ok","workers":2}');
      const hasCounted = async (count: number): Promise<boolean> =>
        new RegExp(`^gateway_http_requests_total\\{.*status_class="2xx".*\\} ${count}$`, 'm').test(
          await status('/metrics'),
        );
      await eventually(() => hasCounted(10), { timeoutMs });

      const before = await childrenOf(node.pid);
      expect(before).toHaveLength(2);
      process.kill(before[0] ?? 0, 'SIGKILL');
      await eventually(async () => (await childrenOf(node.pid)).some((pid) => !before.includes(pid)), { timeoutMs });
      await eventually(async () => (await status('/health')).includes('"workers":2'), { timeoutMs });
      await eventually(async () => (await status('/ready')).includes('"revision":1'), { timeoutMs });
      for (let count = 0; count < 10; count += 1) await get();
      await eventually(() => hasCounted(20), { timeoutMs }); // What the killed worker had counted stays.
      controlPlane.failures.set('ack', 503);
      controlPlane.publish(everythingTo(upstream.url, { name: 'renamed' }));
      const hasFailed = /^gateway_reports_failed_total\{report="ack"\} [1-9]/m;
      await eventually(async () => hasFailed.test(await status('/metrics')), { timeoutMs });
      controlPlane.failures.delete('ack');
      await eventually(() => controlPlane.acks.some(({ revision }) => revision === 2), { timeoutMs });
      for (let count = 0; count < 5; count += 1) await get();

      const workers = await childrenOf(node.pid);
      expect(await node.kill('SIGTERM', timeoutMs)).toEqual({ code: 0, signal: null });
      // What the killed worker had counted and not sent yet is lost with it; nothing is counted twice.
      expect(controlPlane.countedRequests()).toBeGreaterThanOrEqual(15);
      expect(controlPlane.countedRequests()).toBeLessThanOrEqual(25);
      for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    },
    timeoutMs * 2,
  );

  it(
    'kills a worker that hangs and starts another, and ends in time though one hangs',
    async () => {
      await using controlPlane = new FakeControlPlane();
      await using folder = await temporaryFolder();
      await controlPlane.listen();
      controlPlane.publish({ routes: [{ id: 'r', name: 'r' }] });
      await using node = await startNode(controlPlane, folder.path, { PORTCULLIS_DRAIN_SECONDS: '0' });
      const { status_port: statusPort } = await eventually(() => portsOf(node));
      const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${statusPort}/ready`)).ok;
      await eventually(isReady, { timeoutMs });
      const before = await childrenOf(node.pid);
      const [hanging = 0, other = 0] = before;
      try {
        process.kill(hanging, 'SIGSTOP');
        await eventually(async () => !(await isReady()), { timeoutMs });
        await eventually(() => !isThere(hanging), { timeoutMs });
        const line = /"how":"no answer to \d+ pings in \d+ s".*"a worker ended and is started again"/;
        await eventually(() => line.test(node.stdout()), { timeoutMs });
        const pids = async (): Promise<readonly number[]> => {
          const now = await childrenOf(node.pid);
          return now.length === 2 ? now : [];
        };
        await eventually(async () => (await pids()).length === 2 && (await isReady()), { timeoutMs });

        process.kill(other, 'SIGSTOP');
        expect(await node.kill('SIGTERM', timeoutMs)).toEqual({ code: 0, signal: null });
        expect(isThere(other)).toBe(false);
      } finally {
        for (const pid of [hanging, other]) if (isThere(pid)) process.kill(pid, 'SIGKILL');
      }
    },
    timeoutMs * 4,
  );

  it(
    'leaves no worker behind when its first process is killed',
    async () => {
      await using controlPlane = new FakeControlPlane();
      await using folder = await temporaryFolder();
      await controlPlane.listen();
      controlPlane.publish({ routes: [{ id: 'r', name: 'r' }] });
      await using node = await startNode(controlPlane, folder.path);
      const workers = await childrenOf(node.pid);
      await node.kill('SIGKILL');
      await eventually(() => workers.every((pid) => !isThere(pid)), { timeoutMs });
      expect(workers).toHaveLength(2);
    },
    timeoutMs * 2,
  );
});
