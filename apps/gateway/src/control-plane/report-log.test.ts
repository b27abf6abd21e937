import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf } from '../testing/test-gateway.test-support.ts';
import { ReportLog } from './report-log.ts';

describe('reports that the control plane does not take', () => {
  it('are said once, and once when they are taken again', () => {
    let nowMs = 0;
    const lines: unknown[] = [];
    const write = (details: object, message: string): void => void lines.push({ ...details, message });
    const log = new ReportLog({ info: write, warn: write }, () => nowMs);
    const refused = 'the control plane answered 500';
    log.note('heartbeat', undefined);
    for (let time = 0; time < 100; time += 1) {
      nowMs += 1000;
      log.note('heartbeat', time % 2 === 0 ? refused : 'reset');
      // Taken now and then is not taken.
      log.note('heartbeat', undefined);
    }
    expect(lines).toEqual([
      { report: 'heartbeat', reason: refused, message: 'the control plane does not take a report' },
    ]);
    nowMs += 10_000;
    log.note('heartbeat', undefined);
    log.note('heartbeat', undefined);
    log.note('ack', 'reset');
    log.note('ack', undefined);
    expect(lines.slice(1)).toEqual([
      { report: 'heartbeat', failures: 100, message: 'the control plane takes a report again' },
      { report: 'ack', reason: 'reset', message: 'the control plane does not take a report' },
      { report: 'ack', failures: 1, message: 'the control plane takes a report again' },
    ]);
  });

  it('are in the log and in the metrics of a gateway', { timeout: 60_000 }, async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    await controlPlane.listen();
    controlPlane.failures.set('heartbeat', 500).set('observations', 422).set('ack', 422);
    controlPlane.publish(everythingTo(upstream.url));
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const gateway = await startGateway(settingsOf(controlPlane.url, folder), log);
    const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${gateway.statusPort}/metrics`)).text();
    await eventually(async () => (await fetch(`http://127.0.0.1:${gateway.proxyPort}/`)).status === 200, {
      timeoutMs: 20_000,
    });
    await eventually(
      async () => {
        const text = await metrics();
        // Batches go once more without their records: two failures each.
        return (
          ['heartbeat', 'ack'].every((report) => !text.includes(`{report="${report}"} 0`)) &&
          /gateway_reports_failed_total\{report="observations"\} (?:[2-9]|\d\d)/.test(text)
        );
      },
      { timeoutMs: 30_000 },
    );
    await gateway.stop();
    const said = lines.map((line) => JSON.parse(line) as { msg: string; report: string; reason: string });
    const failing = said.filter(({ msg }) => msg === 'the control plane does not take a report');
    expect(failing.map(({ report, reason }) => `${report}: ${reason}`).toSorted()).toEqual([
      'ack: the control plane answered 422',
      'heartbeat: the control plane answered 500',
      'observations: the control plane answered 422',
    ]);
  });
});
