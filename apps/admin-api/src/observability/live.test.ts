import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { openStream, type OpenStream } from './live.test-support.ts';
import { record } from './observations.test-support.ts';
import { streamPlaces } from './stream-places.ts';

const admin = '/api/v1/admin';

describeOnEachDatabase('live requests', (context) => {
  let service: TestService;
  let ownToken: string;
  const opened: OpenStream[] = [];
  const nodes = new Map<string, string>();
  let sequence = 0;

  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenantId of ['acme', 'globex']) {
      await service.addTenant(tenantId);
      for (const id of ['g1', 'g2']) {
        const gateway = { tenant_id: tenantId, id: `${tenantId}-${id}`, name: id };
        expect((await service.call('POST', `${admin}/gateways`, gateway)).status).toBe(201);
        const node = { tenant_id: tenantId, gateway_id: gateway.id, name: `node-${id}` };
        const { body } = await service.call('POST', `${admin}/data-planes`, node);
        nodes.set(gateway.id, body.token);
      }
    }
    ownToken = await service.addUser('acme', 'reader', 'reader');
  });
  afterAll(async () => {
    for (const stream of opened) stream.leave();
    await service.stop();
  });

  const send = async (gatewayId: string, ids: readonly string[], fields = {}): Promise<void> => {
    sequence += 1;
    const records = ids.map((id) => record(id, { occurred_at_ms: Date.now(), ...fields }));
    const body = { boot_id: crypto.randomUUID(), sequence, dropped_records: 0, counters: [], records };
    const path = '/api/v1/data-plane/observations';
    const { status } = await service.call('POST', path, body, { token: nodes.get(gatewayId) ?? '' });
    expect(status).toBe(202);
  };
  const open = async (query: string, token = ownToken, headers = {}): Promise<OpenStream> => {
    const stream = await openStream(`${service.url}${admin}/observability/live${query}`, token, headers);
    opened.push(stream);
    return stream;
  };
  const idsOf = ({ events }: OpenStream): string[] => events.map(({ data }) => data.request_id);

  it('come as they are listed, only those of the own tenant, narrowed by filters', async () => {
    const all = await open('');
    const one = await open('?gateway_id=acme-g2');
    const failed = await open('?status=5xx');
    const route = await open('?route_id=r1');
    await send('globex-g1', ['foreign']);
    await send('acme-g1', ['a', 'b'], { route_id: 'r1' });
    await send('acme-g2', ['c'], { status: 503 });
    await all.has(3);
    for (const stream of [one, failed, route]) await stream.has(1);
    await route.has(2);
    expect(idsOf(all)).toEqual(['a', 'b', 'c']);
    expect(all.events.map(({ event }) => event)).toEqual(['request', 'request', 'request']);
    expect([one, failed, route].map(idsOf)).toEqual([['c'], ['c'], ['a', 'b']]);
    const { body } = await service.call('GET', `${admin}/observability/requests?limit=1`, undefined, {
      token: ownToken,
    });
    expect(all.events.at(-1)?.data).toEqual(body.items[0]);
    for (const stream of [all, one, failed, route]) stream.leave();
  });

  it('go on after the last event, with what came meanwhile, once', async () => {
    const before = await open('');
    await send('acme-g1', ['d', 'e', 'f']);
    await before.has(3);
    before.leave();
    const middle = before.events[0]?.id ?? '';
    await send('acme-g2', ['g']);
    const again = await open('', ownToken, { 'last-event-id': middle });
    await again.has(3);
    await send('acme-g1', ['h']);
    await again.has(4);
    expect(idsOf(again)).toEqual(['e', 'f', 'g', 'h']);
    // Who has seen nothing of what it asked for goes on from where it looked.
    const silent = await open('?gateway_id=acme-g2');
    expect(Number(silent.lastId())).toBe(Number(again.events.at(-1)?.id));
    const ahead = await open('', ownToken, { 'last-event-id': '999999999' });
    await send('acme-g1', ['i']);
    await ahead.has(1);
    expect(idsOf(ahead)).toEqual(['i']);
    const wrong = await service.call('GET', `${admin}/observability/live`, undefined, {
      token: ownToken,
      headers: { 'last-event-id': 'x' },
    });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    for (const stream of [again, silent, ahead]) stream.leave();
  });

  it('are for who may read the tenant, and a super administrator names it', async () => {
    expect((await open('?tenant_id=globex')).status).toBe(403);
    expect((await open('', service.token)).status).toBe(400);
    expect((await open('', nodes.get('acme-g1'))).status).toBe(401);
    const named = await open('?tenant_id=globex', service.token);
    await send('globex-g1', ['j']);
    await named.has(1);
    expect(idsOf(named)).toEqual(['j']);
    named.leave();
  });

  it('end soon after the token was revoked or the session ended, and give their places back', async () => {
    const made = await service.call('POST', `${admin}/api-tokens`, {
      tenant_id: 'acme',
      name: 'watcher',
      scopes: ['admin:read'],
    });
    const byToken = await open('', made.body.token);
    const session = await service.addUser('acme', 'leaver', 'admin');
    const bySession = await open('', session);
    const stays = await open('');
    expect((await service.call('DELETE', `${admin}/api-tokens/${made.body.id}?tenant_id=acme`)).status).toBe(204);
    const { body } = await service.call('GET', `${admin}/users?tenant_id=acme&name=leaver`);
    const leaver = body.items.find((user: { username: string }) => user.username === 'leaver');
    expect((await service.call('DELETE', `${admin}/users/${leaver.id}?tenant_id=acme`)).status).toBe(204);
    await eventually(() => byToken.isOver() && bySession.isOver());
    await send('acme-g1', ['k']);
    await stays.has(1);
    expect([byToken, bySession].map(idsOf)).toEqual([[], []]);
    stays.leave();
  });

  it('are so many for each caller and no more, until one is left', async () => {
    const token = await service.addUser('acme', 'many', 'reader');
    const streams: OpenStream[] = [];
    for (let index = 0; index < streamPlaces.caller; index += 1) streams.push(await open('', token));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect((await open('', token)).status).toBe(429);
    streams[0]?.leave();
    await eventually(async () => (await open('', token)).status === 200);
    for (const stream of streams) stream.leave();
  });

  it('end when the service stops', async () => {
    const place = await context.fresh();
    const other = await startTestService(place.url);
    await other.addTenant('acme');
    const stream = await openStream(`${other.url}${admin}/observability/live?tenant_id=acme`, other.token);
    expect(stream.status).toBe(200);
    await other.stop();
    await eventually(() => stream.isOver());
    await place.remove();
  });
});
