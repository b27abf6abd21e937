import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { HeartbeatLoop, sendHeartbeat } from './heartbeat.ts';
import { openCircuits } from './open-circuits.ts';

describe('heartbeats', () => {
  it('are sent at once when something changed, also while one is on its way, and many changes are few of them', async () => {
    let beats = 0;
    let answer = (): void => undefined;
    const loop = new HeartbeatLoop(() => {
      beats += 1;
      return new Promise<void>((resolve) => (answer = resolve));
    });
    loop.start();
    expect(beats).toBe(1);
    for (let change = 0; change < 100; change += 1) loop.now();
    answer();
    await eventually(() => beats === 2);
    answer();
    loop.now();
    await eventually(() => beats === 3);
    answer();
    await loop.stop();
    expect(beats).toBe(3);
  });

  it('that are refused with their reports go without them', async () => {
    const sent: object[] = [];
    const reports = { targets: [], circuits: [] };
    const refuse = async (heartbeat: object) => (sent.push(heartbeat), 'dropped' as const);
    expect(await sendHeartbeat(refuse, { version: '1' }, reports)).toBe('dropped');
    expect(sent).toEqual([{ version: '1', ...reports }, { version: '1' }]);
    const accept = async (heartbeat: object) => (sent.push(heartbeat), 'accepted' as const);
    expect(await sendHeartbeat(accept, { version: '2' }, { circuits: [] })).toBe('accepted');
    expect(sent.slice(2)).toEqual([{ version: '2', circuits: [] }]);
  });

  it('name the circuits that are not closed, up to a bound', () => {
    const of = (circuit: 'closed' | 'open' | 'half_open', id: string) => ({
      instance: { id, name: 'p', tenantId: 't' },
      circuit,
    });
    expect(openCircuits([of('closed', 'a'), of('open', 'b'), of('half_open', 'c')])).toEqual([
      { instance_id: 'b', plugin: 'p', phase: 'open' },
      { instance_id: 'c', plugin: 'p', phase: 'half_open' },
    ]);
    expect(openCircuits(Array.from({ length: 500 }, (_, index) => of('open', `${index}`)))).toHaveLength(100);
  });
});
