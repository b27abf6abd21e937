import { eventually, temporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { settingsOf } from '../testing/test-gateway.test-support.ts';
import { ConnectionLog } from './connection-log.ts';

describe('the log of the connection', () => {
  it('says why a first start cannot connect, in one line however often it tries', async () => {
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    const url = await controlPlane.listen();
    for (const path of ['stream', 'config']) controlPlane.failures.set(path, 503);
    const lines: string[] = [];
    const gateway = await startGateway(settingsOf(url, folder), pino({}, { write: (line) => void lines.push(line) }));
    const about = (): string[] => lines.filter((line) => line.includes('no connection to the control plane'));
    await eventually(() => about().length > 0);
    expect(about()[0]).toContain('the control plane answered 503');
    await eventually(() => controlPlane.heartbeats.length > 0);
    await gateway.stop();
    expect(about()).toHaveLength(1);
  });

  it('takes one line at once and one every ten seconds from a connection that flaps, the last with what is so', () => {
    vi.useFakeTimers();
    try {
      const lines: unknown[] = [];
      const write = (details: object, message: string): void => void lines.push({ ...details, message });
      const log = new ConnectionLog({ info: write, warn: write });
      for (let time = 0; time < 200; time += 1) log.note(time % 2 === 0, time % 2 === 0 ? '' : 'the stream ended');
      log.note(true, '');
      expect(lines).toEqual([{ changes: 1, message: 'connected to the control plane' }]);
      vi.advanceTimersByTime(10_000);
      log.note(true, '');
      vi.advanceTimersByTime(60_000);
      expect(lines.slice(1)).toEqual([{ changes: 200, message: 'connected to the control plane' }]);
      log.note(false, 'refused');
      log.note(false, 'reset');
      vi.advanceTimersByTime(10_000);
      expect(lines.slice(2)).toEqual([
        { changes: 1, reason: 'refused', message: 'no connection to the control plane' },
        { changes: 1, reason: 'reset', message: 'no connection to the control plane' },
      ]);
      expect(log.connected).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});
