import { familyNamed } from '@portcullis/resources';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { Problem } from '../http/problem.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import { createWriterWorld } from './writer.test-support.ts';

/** Each workspace keeps a realm of its name; `metadata.members` are the gateways in it. */
const workspaceWithRealm: FamilyBehaviour = {
  anticipate: async ({ name }) => ({ stamp: `hashed ${String(name)}` }),
  prepare: async ({ values, anticipated }) => ({
    ok: true,
    body: { ...values, stamp: anticipated['stamp'] },
    async effect(records, written) {
      if (written.name === 'refused') throw new Problem('invalid_state', 'not this one');
      const [realm] = await records.referring('realms', 'gateway_ids', String(values['description']));
      const wanted = { name: String(values['name']), gateway_ids: [values['description']] };
      if (values['labels'] && Object.hasOwn(values['labels'], 'gone')) {
        if (realm) await records.remove(realm.family, [realm]);
      } else if (realm) await records.replace(realm, wanted);
      else await records.create('realms', null, wanted);
    },
  }),
};

describeOnEachDatabase('effects of a write', ({ database }) => {
  const world = () => createWriterWorld(database(), { workspaces: workspaceWithRealm });
  const workspaces = familyNamed('workspaces');
  const gateways = familyNamed('gateways');
  const realmsOf = async (tenantId: string) =>
    (await world().store.list(database().read, { tenantId, family: 'realms', skip: 0, limit: 50 })).items;
  const addGateway = (tenantId: string, id: string) =>
    world().write(tenantId, (session) =>
      world().writer.create(session, gateways, { id, gatewayId: null }, { name: id }),
    );

  it('are written with the record, counted under one revision, and undone with it', async () => {
    const { writer, write, store } = world();
    await addGateway('t1', 'g');
    const sent = { name: 'one', description: 'g' };
    const anticipated = await writer.anticipate(workspaces, sent, 't1');
    const made = await write('t1', (session) =>
      writer.create(session, workspaces, { gatewayId: null }, sent, anticipated),
    );
    expect(made.record.body).toMatchObject({ stamp: 'hashed one' });
    expect(await realmsOf('t1')).toMatchObject([{ name: 'one', body: { gateway_ids: ['g'] } }]);
    const changes = await database().read.selectFrom('changes').selectAll().where('tenant_id', '=', 't1').execute();
    expect(changes.map(({ family, revision }) => [family, revision])).toEqual([
      ['gateways', 1],
      ['workspaces', 2],
      ['realms', 2],
    ]);
    // An effect runs also when the record itself stays as it is, and what it writes moves the record's revision.
    const idle = await write('t1', (session) => writer.replace(session, workspaces, made.record, sent, anticipated));
    expect(idle).toMatchObject({ action: 'unchanged', record: { revision: 1 } });
    const realm = (await realmsOf('t1'))[0];
    if (!realm) throw new Error('unreachable');
    await write('t1', (session) =>
      writer.replace(session, familyNamed('realms'), realm, { name: 'renamed', gateway_ids: ['g'] }),
    );
    const again = await write('t1', (session) => writer.replace(session, workspaces, made.record, sent, anticipated));
    expect(again).toMatchObject({ action: 'update', record: { revision: 2, body: made.record.body } });
    expect(await store.get(database().read, 't1', 'workspaces', made.record.id)).toEqual(again.record);
    expect(await realmsOf('t1')).toMatchObject([{ name: 'one' }]);
    const gone = { ...sent, labels: { gone: '1' } };
    await write('t1', (session) => writer.replace(session, workspaces, again.record, gone, anticipated));
    expect(await realmsOf('t1')).toEqual([]);
    const refused = write('t1', (session) =>
      writer.create(session, workspaces, { gatewayId: null }, { name: 'refused' }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'invalid_state' });
    const unknown = write('t1', (session) =>
      writer.create(session, workspaces, { gatewayId: null }, { name: 'x', description: 'nowhere' }),
    );
    await expect(unknown).rejects.toMatchObject({ code: 'reference_not_found' });
    expect((await store.list(database().read, { tenantId: 't1', family: 'workspaces', skip: 0, limit: 9 })).total).toBe(
      1,
    );
  });

  it('follow each of many new records, which carry what was anticipated for them', async () => {
    const { writer, write, store } = world();
    for (const id of ['a', 'b']) await addGateway('t2', id);
    const items = ['a', 'b'].map((name) => ({
      id: `w-${name}`,
      gatewayId: null,
      sent: { name, description: name },
      anticipated: { stamp: `done for ${name}` },
    }));
    expect(await write('t2', (session) => writer.createMany(session, workspaces, items))).toBeUndefined();
    expect((await realmsOf('t2')).map(({ name }) => String(name)).toSorted()).toEqual(['a', 'b']);
    expect((await store.get(database().read, 't2', 'workspaces', 'w-b'))?.body).toMatchObject({ stamp: 'done for b' });
    const more = [
      { ...items[0], id: 'w-c', gatewayId: null, sent: { name: 'c', description: 'a' }, anticipated: {} },
      { id: 'w-d', gatewayId: null, sent: { name: 'refused' }, anticipated: {} },
    ];
    const refusal = await write('t2', (session) => writer.createMany(session, workspaces, more));
    expect(refusal).toMatchObject({ index: 1, problem: { code: 'invalid_state' } });
  });

  it('that answer each other without end are stopped', async () => {
    const other: FamilyBehaviour = {
      prepare: async ({ values }) => ({
        ok: true,
        body: values,
        effect: async (records, written) => void (await records.replace(written, values)),
      }),
    };
    const { writer, write } = createWriterWorld(database(), { workspaces: other });
    const endless = write('t3', (session) => writer.create(session, workspaces, { gatewayId: null }, { name: 'x' }));
    await expect(endless).rejects.toThrow(RangeError);
  });
});
