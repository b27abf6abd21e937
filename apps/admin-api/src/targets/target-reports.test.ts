import { heartbeatLimits, type ReportedTarget } from '@portcullis/resources';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { dataPlaneSilenceMs } from '../data-planes/data-plane-state.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createResourceStates } from '../store/resource-states.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { item } from '../store/store.test-support.ts';
import { keptAddressesMax, readTargetReports, storeTargetReport } from './target-reports.ts';

const store = createResourceStore();
const states = createResourceStates();
const seenMs = 1_000_000;

const reported = (targetId: string, parts: Partial<ReportedTarget> = {}): ReportedTarget => ({
  target_id: targetId,
  address: '10.0.0.1:80',
  health: 'HEALTHY',
  since_ms: 1,
  ...parts,
});

describeOnEachDatabase('reports of data planes', ({ database }) => {
  const addNode = (tenantId: string, id: string): Promise<void> =>
    database().transaction(async (transaction) => {
      await store.insert(transaction, item(tenantId, id, { family: 'data-planes' }));
      await states.merge(transaction, tenantId, 'data-planes', id, { last_seen_ms: seenMs }, seenMs);
    });
  const addTargets = (tenantId: string, gatewayId: string, ids: readonly string[]): Promise<unknown> =>
    database().transaction((transaction) =>
      store.insertMany(
        transaction,
        ids.map((id) => item(tenantId, id, { family: 'targets', gatewayId })),
      ),
    );
  const say = (tenantId: string, id: string, gatewayId: string, targets: readonly ReportedTarget[]): Promise<void> =>
    database().transaction((transaction) => storeTargetReport(transaction, { tenantId, id, gatewayId }, targets));
  const read = (tenantId: string, gatewayId: string, targetIds: readonly string[], nowMs = seenMs) =>
    readTargetReports(database().read, { tenantId, gatewayId, targetIds }, nowMs);
  const rowsOf = async (tenantId: string): Promise<number> =>
    (await database().read.selectFrom('target_reports').select('id').where('tenant_id', '=', tenantId).execute())
      .length;

  it('count while the data plane was heard of lately, each for its own gateway and tenant', async () => {
    for (const [tenantId, id, gatewayId, t, gone] of [
      ['r1', 'a', 'g1', 't', 'gone'],
      ['r1', 'b', 'g2', 'u', 'gone-too'],
      ['r2', 'a', 'g1', 't', 'gone'],
    ] as const) {
      await addNode(tenantId, id);
      await addTargets(tenantId, gatewayId, [t, gone]);
      await say(tenantId, id, gatewayId, [reported(t, { address: 'old:1' }), reported(t), reported(gone)]);
      await say(tenantId, id, gatewayId, [reported(t, { address: `${tenantId}:1` }), reported(t)]);
    }
    const [first, ...others] = await read('r1', 'g1', ['t', 'gone', 'never']);
    expect(first).toEqual({
      dataPlaneId: 'a',
      dataPlaneName: expect.any(String) as unknown,
      targetId: 't',
      health: 'HEALTHY',
      addresses: [
        { address: 'r1:1', health: 'HEALTHY', since_ms: 1 },
        { address: '10.0.0.1:80', health: 'HEALTHY', since_ms: 1 },
      ],
    });
    expect(others).toEqual([]);
    expect((await read('r1', 'g2', ['t', 'u'])).map(({ dataPlaneId }) => dataPlaneId)).toEqual(['b']);
    expect(await read('r1', 'g1', ['t'], seenMs + dataPlaneSilenceMs.offline - 1)).toHaveLength(1);
    expect(await read('r1', 'g1', ['t'], seenMs + dataPlaneSilenceMs.offline)).toEqual([]);
    expect(await read('r1', 'g1', [])).toEqual([]);
  });

  it('say nothing of what is no target of the gateway', async () => {
    await addNode('r6', 'a');
    await addTargets('r6', 'g1', ['own']);
    await addTargets('r6', 'g2', ['of-another']);
    await addTargets('r7', 'g1', ['of-a-stranger']);
    await say(
      'r6',
      'a',
      'g1',
      ['own', 'of-another', 'of-a-stranger', 'made-up', 'a'].map((id) => reported(id)),
    );
    expect(await rowsOf('r6')).toBe(1);
  });

  it('are as long as a heartbeat may be, whatever the IDs, and are taken back whole', async () => {
    await addNode('r3', 'a');
    const odd = ['__proto__', 'constructor', "it's", '"', '%', '1', 'é'];
    const many = Array.from({ length: heartbeatLimits.targetsMax - odd.length }, (_, index) => `t${index}`);
    const all = [...odd, ...many];
    await addTargets('r3', 'g1', all);
    await addTargets('r3', 'g2', ['moved']);
    await say(
      'r3',
      'a',
      'g1',
      all.map((id) => reported(id)),
    );
    expect(await rowsOf('r3')).toBe(heartbeatLimits.targetsMax);
    const page = all.slice(0, 200);
    expect(new Set((await read('r3', 'g1', page)).map(({ targetId }) => targetId))).toEqual(new Set(page));
    await say('r3', 'a', 'g2', [reported('moved', { health: 'UNHEALTHY' })]);
    expect([await rowsOf('r3'), await read('r3', 'g1', ['t1'])]).toEqual([1, []]);
    await say('r3', 'a', 'g2', []);
    expect(await rowsOf('r3')).toBe(0);
  });

  it('keep the worst of many addresses, and how the whole target is', async () => {
    await addNode('r5', 'a');
    await addTargets('r5', 'g1', ['t']);
    const address = (index: number): string => `10.0.0.${index}:80`;
    const many = Array.from({ length: 30 }, (_, index) =>
      reported('t', { address: address(index), health: index < 20 ? 'HEALTHY' : 'UNHEALTHY' }),
    );
    await say('r5', 'a', 'g1', many);
    const [report] = await read('r5', 'g1', ['t']);
    expect(report?.health).toBe('HEALTHY');
    expect(report?.addresses.map((one) => one.address)).toEqual(
      Array.from({ length: keptAddressesMax }, (_, index) => address(20 + index)),
    );
  });

  it('that say the same as before are not written', async () => {
    await addNode('r4', 'a');
    await addTargets('r4', 'g1', ['t1', 't2']);
    await say('r4', 'a', 'g1', [reported('t1'), reported('t2')]);
    // What PostgreSQL and SQLite tell of writes: who wrote a row last, and how many were written.
    const versions =
      database().dialect === 'postgres'
        ? sql<{ said: string }>`select xmin::text as said from target_reports where tenant_id = 'r4' order by target_id`
        : sql<{ said: number }>`select total_changes() as said`;
    await database().transaction(async (transaction) => {
      const before = await versions.execute(transaction);
      const node = { tenantId: 'r4', id: 'a', gatewayId: 'g1' };
      await storeTargetReport(transaction, node, [reported('t1'), reported('t2', { health: 'UNHEALTHY' })]);
      const after = await versions.execute(transaction);
      const [first, second] = [before, after].map(({ rows }) => rows.map(({ said }) => said));
      if (database().dialect === 'sqlite') expect(Number(second?.[0]) - Number(first?.[0])).toBe(1);
      else expect([first?.[0] === second?.[0], first?.[1] === second?.[1]]).toEqual([true, false]);
    });
  });
});
