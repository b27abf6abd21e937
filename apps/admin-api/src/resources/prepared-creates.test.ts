import { familyNamed } from '@portcullis/resources';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { sumConfiguration } from '../snapshots/sum-configuration.ts';
import { AsideWork } from './aside-work.ts';
import { createDraftedStore } from './drafted-store.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import { prepareCreates } from './prepared-creates.ts';
import type { NewRecord } from './record-writer.ts';
import type { Values } from './values.ts';
import { createWriterWorld, someActor } from './writer.test-support.ts';

const gateways = familyNamed('gateways');
const services = familyNamed('services');
const consumers = familyNamed('consumers');

const newRecord = (id: string, sent: Values, gatewayId: string | null = null): NewRecord => {
  return { id, gatewayId, sent, anticipated: {} };
};
const gateway = newRecord('edge', { name: 'edge' });
const manyServices = Array.from({ length: 40 }, (_, index) =>
  newRecord(`s${index}`, { name: `service-${index}`, url: `https://${index}.example` }, 'edge'),
);

describeOnEachDatabase('records that are prepared before their session', ({ database }) => {
  const worldOf = (tenantId: string, behaviours: Record<string, FamilyBehaviour> = {}) => {
    const world = createWriterWorld(database(), behaviours);
    const drafted = createDraftedStore(world.store, tenantId);
    const aside = new AsideWork();
    const session = { tenantId, actor: someActor, baseRevision: 0, aside, transaction: database().read };
    const parts = { ...world.writeParts, audit: world.parts.audit };
    const prepare = (family: typeof gateways, wanted: readonly NewRecord[]) =>
      prepareCreates(parts, session, drafted, family, wanted);
    return { ...world, prepare, aside };
  };
  const logOf = async (tenantId: string) => {
    const audits = await database()
      .read.selectFrom('audit_records')
      .select(['action', 'entity_type', 'entity_id', 'actor_id', 'disclosures'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .execute();
    const changes = await database()
      .read.selectFrom('changes')
      .select(['family', 'id', 'action', 'gateway_id', 'revision'])
      .where('tenant_id', '=', tenantId)
      .orderBy('position')
      .execute();
    const shown = audits.map(({ disclosures, ...row }) => {
      const { after } = JSON.parse(disclosures ?? '{}') as { after: { value: Values } };
      const { created_at: _created, updated_at: _updated, tenant_id: _tenant, ...own } = after.value;
      return { ...row, after: own };
    });
    return { audits: shown, changes };
  };

  it('are stored, logged and summed up as if the session had made them', async () => {
    const prepared = worldOf('prepared');
    const batches = [await prepared.prepare(gateways, [gateway]), await prepared.prepare(services, manyServices)];
    expect(batches.map((batch) => batch?.records.ids.length)).toEqual([1, 40]);
    expect(await logOf('prepared')).toEqual({ audits: [], changes: [] });
    await prepared.write('prepared', async (session) => {
      for (const batch of batches) {
        if (batch) expect(await prepared.writer.createPrepared(session, batch)).toBeUndefined();
      }
    });
    const made = worldOf('made');
    await made.write('made', async (session) => {
      expect(await made.writer.createMany(session, gateways, [gateway])).toBeUndefined();
      expect(await made.writer.createMany(session, services, manyServices)).toBeUndefined();
    });
    expect(await logOf('prepared')).toEqual(await logOf('made'));
    const summed = await database().transaction((transaction) => sumConfiguration(transaction, 'prepared'));
    expect(summed.counts).toEqual({ gateways: 1, services: 40 });
    expect(summed).toEqual(await database().transaction((transaction) => sumConfiguration(transaction, 'made')));
    await prepared.write('prepared', async ({ history }) => expect(history.totals).toEqual(summed));
  });

  it('are left to the session where it is needed, and where one is refused', async () => {
    const vaults = familyNamed('consumer-credentials');
    const secret = { ok: true, body: { name: 'a', secret: 'hidden' } } as const;
    const cases: [Record<string, FamilyBehaviour>, typeof gateways, NewRecord][] = [
      [{ consumers: { afterWrite: async () => undefined } }, consumers, newRecord('c', { username: 'a' })],
      [
        { consumers: { prepare: async ({ values }) => ({ ok: true, body: values, effect: async () => undefined }) } },
        consumers,
        newRecord('c', { username: 'a' }),
      ],
      [
        { [vaults.name]: { prepare: async () => secret, secretPointers: () => ['/secret'] } },
        vaults,
        newRecord('v', {}),
      ],
      [{}, consumers, newRecord('c', { username: 7 })],
      [{}, services, newRecord('s', { name: 's', upstream_id: 'nowhere' }, 'edge')],
    ];
    for (const [behaviours, family, record] of cases) {
      expect(await worldOf('left', behaviours).prepare(family, [record]), family.name).toBeUndefined();
    }
    const waiting = worldOf('left', {
      consumers: {
        forRecord: async (_executor, _tenantId, _sent, aside) => {
          aside.resultOf('a check', async () => true);
          return undefined;
        },
      },
    });
    expect(await waiting.prepare(consumers, [newRecord('c', { username: 'a' })])).toBeUndefined();
  });

  it('are of no use to a session of another revision, which then leaves nothing', async () => {
    const { prepare, write, writer } = worldOf('moved');
    const batch = await prepare(consumers, [newRecord('c', { username: 'late' })]);
    await write('moved', (session) => writer.create(session, consumers, { gatewayId: null }, { username: 'first' }));
    if (!batch) throw new Error('nothing was prepared');
    await expect(write('moved', (session) => writer.createPrepared(session, batch))).rejects.toThrow(
      'were prepared for revision 1',
    );
    expect((await logOf('moved')).changes).toHaveLength(1);
  });
});
