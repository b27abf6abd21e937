import { readdir, readFile, readlink, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { startOtlpReceiver } from '../telemetry/otlp-receiver.test-support.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, exchangeRaw } from '../testing/test-gateway.test-support.ts';
import { childrenOf, portsOf, startNode, timeoutMs } from './started-node.test-support.ts';

/** Whether a process has a file open. */
async function hasOpen(pid: number, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const links = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ''));
  return (await Promise.all(links)).includes(path);
}

it(
  'every worker of a node sends its spans, writes to one log file, and lets go of it on SIGHUP',
  async () => {
    await using receiver = await startOtlpReceiver();
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    await controlPlane.listen();
    const plugins = [{ id: 'log', name: 'file_log', trigger: 'both', config: { path: 'requests.log' } }];
    controlPlane.publish({ ...everythingTo(upstream.url), plugins });
    await using node = await startNode(controlPlane, folder.join('cache'), {
      PORTCULLIS_LOG_DIR: folder.join('logs'),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    const { proxy_port: proxyPort, status_port: statusPort } = await eventually(() => portsOf(node));
    const send = async (count: number): Promise<void> => {
      for (let time = 0; time < count; time += 1) {
        await exchangeRaw(proxyPort, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      }
    };
    const file = folder.join('logs', 'acme', 'requests.log');
    const lines = async (path: string): Promise<number> =>
      (await readFile(path, 'utf8').catch(() => '')).split('\n').length - 1;
    await send(10);
    await eventually(async () => (await lines(file)) === 10, { timeoutMs });
    const sent = 'gateway_plugin_records_sent_total{plugin="file_log",instance="log"} 10';
    const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
    await eventually(async () => (await metrics()).includes(sent), { timeoutMs });
    const workers = await childrenOf(node.pid);
    const moved = `${file}.moved`;
    await rename(file, moved);
    const holding = async (): Promise<readonly boolean[]> => Promise.all(workers.map((pid) => hasOpen(pid, moved)));
    expect(await holding()).toEqual([true, true]);
    process.kill(node.pid, 'SIGHUP');
    await eventually(async () => !(await holding()).includes(true), { timeoutMs });
    await send(4);
    await node.kill('SIGTERM', timeoutMs);
    expect([await lines(moved), await lines(file)]).toEqual([10, 4]);
    const spans = receiver.spans();
    expect([spans.length, new Set(spans.map(({ instance }) => instance)).size]).toEqual([28, 2]);
    const instances = receiver.metrics().map(({ instance }) => instance);
    expect(new Set(instances)).toEqual(new Set(spans.map(({ instance }) => instance)));
  },
  timeoutMs * 2,
);
