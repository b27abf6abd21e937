import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfiguration, recordsOf } from '../data-planes/read-configuration.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

describeOnEachDatabase('groups and realms of consumers', (context) => {
  let service: TestService;
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const change = async (method: string, path: string, body?: object): Promise<Answer['body']> => {
    const answer = await call(method, path, body);
    expect([200, 204], JSON.stringify(answer.body)).toContain(answer.status);
    return answer.body;
  };
  const effective = async (id: string): Promise<unknown> =>
    (await call('GET', `/consumers/${id}`)).body.effective_groups;
  /** What a node of a gateway gets, and the revision that it gets it at. */
  const delivered = async (gatewayId: string) => {
    const answer = await service.call('GET', '/api/v1/data-plane/config', undefined, {
      token: nodes.get(gatewayId) ?? '',
    });
    expect(answer.status).toBe(200);
    const configuration = readConfiguration(answer.body);
    const { revision } = configuration.head;
    const resources = {
      consumers: recordsOf(configuration, 'consumers'),
      consumer_credentials: recordsOf(configuration, 'consumer_credentials'),
      plugins: recordsOf(configuration, 'plugins'),
    };
    const consumers = resources.consumers as unknown as { id: string; username: string; groups: string[] }[];
    return {
      revision,
      resources,
      names: consumers.map(({ username }) => username),
      groupsOf: (id: string) => consumers.find((one) => one.id === id)?.groups,
    };
  };
  const nodes = new Map<string, string>();

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    for (const id of ['g1', 'g2', 'g3']) {
      await make('/gateways', { id, name: id });
      nodes.set(id, (await make('/data-planes', { gateway_id: id, name: 'node' })).token);
    }
  });
  afterAll(() => service.stop());

  it('a consumer has its own groups, then those that list it, oldest first, each once', async () => {
    const jo = await make('/consumers', { username: 'jo', groups: ['vip', 'beta'] });
    expect(jo.effective_groups).toEqual(['vip', 'beta']);
    const older = await make('/consumer-groups', { name: 'staff', consumers: ['jo'] });
    expect(older.consumers).toEqual([jo.id]);
    await make('/consumer-groups', { name: 'beta', consumers: [jo.id] });
    await make('/consumer-groups', { name: 'all', consumers: [jo.id] });
    expect(await effective(jo.id)).toEqual(['vip', 'beta', 'staff', 'all']);
    const list = await call('GET', '/consumers?name=jo');
    expect(list.body.items[0].effective_groups).toEqual(['vip', 'beta', 'staff', 'all']);
    expect((await delivered('g1')).groupsOf(jo.id)).toEqual(['vip', 'beta', 'staff', 'all']);
  });

  it('every change of a membership reaches the gateways with a revision of its own', async () => {
    const kim = await make('/consumers', { username: 'kim' });
    const other = await make('/consumers', { username: 'not-kim' });
    let last = (await delivered('g1')).revision;
    const steps: [string, () => Promise<unknown>, string[]][] = [
      ['created', () => make('/consumer-groups', { id: 'night', name: 'night', consumers: ['kim'] }), ['night']],
      ['renamed', () => change('PATCH', '/consumer-groups/night', { name: 'evening' }), ['evening']],
      ['taken out', () => change('PATCH', '/consumer-groups/night', { consumers: [other.id] }), []],
      [
        'put back',
        () => change('PUT', '/consumer-groups/night', { name: 'evening', consumers: [kim.id] }),
        ['evening'],
      ],
      ['deleted', () => change('DELETE', '/consumer-groups/night'), []],
    ];
    for (const [title, step, groups] of steps) {
      await step();
      const now = await delivered('g1');
      expect(now.groupsOf(kim.id), title).toEqual(groups);
      expect(await effective(kim.id), title).toEqual(groups);
      expect(now.revision, title).toBeGreaterThan(last);
      last = now.revision;
    }
  });

  it('a group lets go of a deleted consumer, and refuses unknown, foreign and repeated members', async () => {
    const gone = await make('/consumers', { username: 'gone' });
    await make('/consumer-groups', { id: 'mixed', name: 'mixed', consumers: ['gone', 'jo'] });
    await change('DELETE', `/consumers/${gone.id}`);
    const left = (await call('GET', '/consumer-groups/mixed')).body.consumers;
    expect(left).toHaveLength(1);
    await service.addTenant('other');
    const foreign = await service.call('POST', '/api/v1/admin/consumers?tenant_id=other', { username: 'foreign' });
    for (const consumers of [['nobody'], ['foreign'], [foreign.body.id], ['jo', left[0]]]) {
      const refused = await call('PATCH', '/consumer-groups/mixed', { consumers });
      expect(refused.status, consumers.join(' ')).toBe(422);
    }
  });

  it('what was read can be sent back, and effective groups cannot be set', async () => {
    const consumer = await make('/consumers', { username: 'round-trip' });
    await make('/consumer-groups', { name: 'round', consumers: ['round-trip'] });
    const shown = (await call('GET', `/consumers/${consumer.id}`)).body;
    expect(shown.effective_groups).toEqual(['round']);
    expect(await change('PUT', `/consumers/${consumer.id}`, shown)).toEqual(shown);
    await change('PUT', `/consumers/${consumer.id}`, { ...shown, effective_groups: ['admins'] });
    expect(await effective(consumer.id)).toEqual(['round']);
  });

  it("a consumer of a realm goes to the realm's gateways only, and moves with it", async () => {
    await make('/realms', { id: 'eu', name: 'eu', gateway_ids: ['g1', 'g2'] });
    const consumer = await make('/consumers', { username: 'of-eu', realm_name: 'eu' });
    expect(consumer.realm_id).toBe('eu');
    const credential = await make(`/consumers/${consumer.id}/credentials`, {
      type: 'hmac',
      secret: 'a-secret-of-the-realm',
    });
    await make('/plugins', {
      name: 'rate_limiter',
      scope: 'consumer',
      consumer_id: consumer.id,
      config: { limit: 5, window_seconds: 1 },
    });
    const seenBy = async () => {
      const all = await Promise.all(['g1', 'g2', 'g3'].map(delivered));
      for (const { names, resources } of all) {
        const text = JSON.stringify([resources.consumer_credentials, resources.plugins]);
        const expected = names.includes('of-eu') ? 2 : 0;
        expect([credential.id, consumer.id].filter((id) => text.includes(id))).toHaveLength(expected);
        expect(text.includes('a-secret-of-the-realm')).toBe(expected > 0);
      }
      return all.map(({ names }) => names.includes('of-eu'));
    };
    expect(await seenBy()).toEqual([true, true, false]);
    await change('PATCH', '/realms/eu', { gateway_ids: ['g3'] });
    expect(await seenBy()).toEqual([false, false, true]);
    await change('PATCH', '/realms/eu', { gateway_ids: [] });
    expect(await seenBy()).toEqual([false, false, false]);
    await change('PATCH', `/consumers/${consumer.id}`, { realm_id: null });
    expect(await seenBy()).toEqual([true, true, true]);
  });

  it('a realm lets go of a deleted gateway, stays while it has consumers, and excludes gateway_id', async () => {
    await make('/gateways', { id: 'short', name: 'short' });
    await make('/realms', { id: 'kept', name: 'kept', gateway_ids: ['short', 'g1'] });
    await change('DELETE', '/gateways/short');
    expect((await call('GET', '/realms/kept')).body.gateway_ids).toEqual(['g1']);
    const both = await call('POST', '/consumers', { username: 'both', realm_id: 'kept', gateway_name: 'g1' });
    expect(both).toMatchObject({ status: 422, body: { errors: [{ pointer: '/realm_id', code: 'not_allowed' }] } });
    const member = await make('/consumers', { username: 'member', realm_id: 'kept' });
    expect((await call('DELETE', '/realms/kept')).status).toBe(409);
    await change('DELETE', `/consumers/${member.id}`);
    await change('DELETE', '/realms/kept');
  });

  it('disabled credentials stay away from gateways until they are enabled, and so do those of disabled consumers', async () => {
    const consumer = await make('/consumers', { username: 'sleeper' });
    const credential = await make(`/consumers/${consumer.id}/credentials`, {
      type: 'basic',
      username: 's',
      password: 'wake up now',
    });
    const isThere = async () => {
      const { names, resources } = await delivered('g1');
      const sleeper = resources.consumers.find(({ id }) => id === consumer.id);
      expect(names).toContain('sleeper');
      return [sleeper?.['enabled'], JSON.stringify(resources.consumer_credentials).includes(credential.id)];
    };
    expect(await isThere()).toEqual([true, true]);
    await change('PATCH', `/consumer-credentials/${credential.id}`, { enabled: false });
    expect(await isThere()).toEqual([true, false]);
    await change('PATCH', `/consumer-credentials/${credential.id}`, { enabled: true });
    await change('PATCH', `/consumers/${consumer.id}`, { enabled: false });
    expect(await isThere()).toEqual([false, false]);
    await change('PATCH', `/consumers/${consumer.id}`, { enabled: true });
    expect(await isThere()).toEqual([true, true]);
  });

  it('bundles: realms, groups and members by name are unchanged the second time', async () => {
    const bundle = {
      tenant_id: 'acme',
      realms: [{ name: 'bundled', gateway_ids: ['g2', 'g1'] }],
      consumers: [{ username: 'one', realm_name: 'bundled' }, { username: 'two' }],
      consumer_groups: [{ name: 'both', consumers: ['two', 'one'] }],
    };
    const sync = () => service.call('POST', '/api/v1/admin/config/sync?dry_run=false', bundle);
    const first = await sync();
    expect(first.body, JSON.stringify(first.body)).toMatchObject({ status: 'success', counts: { created: 4 } });
    const second = await sync();
    expect(second.body.counts, JSON.stringify(second.body)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
    const two = (await call('GET', '/consumers/two')).body;
    expect(two.effective_groups).toEqual(['both']);
  });
});
