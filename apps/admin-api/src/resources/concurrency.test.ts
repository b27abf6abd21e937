import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

/** Writes that are under way at once, spread over two control planes on one database where it can be shared. */
const writers = 12;
const rounds = 6;

describeOnEachDatabase('writes at the same time', (context) => {
  const services: TestService[] = [];
  const path = (rest: string): string => `/api/v1/admin${rest}${rest.includes('?') ? '&' : '?'}tenant_id=acme`;
  const call = (at: number, method: string, rest: string, body?: unknown, headers = {}): Promise<Answer> => {
    const service = services[at % services.length];
    if (!service) throw new Error('there is no service');
    return service.call(method, path(rest), body, { headers });
  };
  const make = async (rest: string, body: object): Promise<Answer['body']> => {
    const answer = await call(0, 'POST', rest, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const times = <Result>(work: (index: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: writers }, (_, index) => work(index)));
  const counted = (answers: readonly Answer[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  beforeAll(async () => {
    services.push(await startTestService(context.url()));
    // SQLite has one process; PostgreSQL is what replicas share.
    if (context.dialect === 'postgres') services.push(await startTestService(context.url()));
    await services[0]?.addTenant('acme');
    await make('/gateways', { id: 'edge', name: 'edge' });
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
  });

  it('one of many creates of a name is made, by its name and by its ID', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const name = `only-${round}`;
      const byName = await times((index) =>
        call(index, 'POST', '/gateways/edge/services', { name, url: `http://a.test/${index}` }),
      );
      expect(counted(byName)).toEqual({ 201: 1, 409: writers - 1 });
      const made = byName.find((answer) => answer.status === 201)?.body;
      const listed = await call(0, 'GET', `/gateways/edge/services?name=${name}`);
      expect(listed.body).toMatchObject({ total: 1, items: [{ id: made.id, url: made.url }] });
      const byId = await times((index) =>
        call(index, 'POST', '/consumers', { id: `chosen-${round}`, username: `user-${round}-${index}` }),
      );
      expect(counted(byId)).toEqual({ 201: 1, 409: writers - 1 });
    }
  });

  it('of many renames to one name one is done', async () => {
    const ids: string[] = [];
    for (let index = 0; index < writers; index += 1) {
      ids.push((await make('/consumers', { username: `before-${index}` })).id);
    }
    const answers = await times((index) => call(index, 'PATCH', `/consumers/${ids[index]}`, { username: 'after' }));
    expect(counted(answers)).toEqual({ 200: 1, 409: writers - 1 });
    expect((await call(0, 'GET', '/consumers?name=after')).body.total).toBe(1);
    // The losers still answer to the names they had.
    expect((await call(0, 'GET', '/consumers?limit=200')).body.items.filter(isBefore)).toHaveLength(writers - 1);
  });

  it('of many changes with one ETag one is done, and nothing of the others', async () => {
    const record = await make('/consumers', { username: 'tagged' });
    for (let round = 0; round < rounds; round += 1) {
      const before = await call(0, 'GET', `/consumers/${record.id}`);
      const headers = { 'if-match': String(before.headers.get('etag')) };
      const answers = await times((index) =>
        call(index, 'PATCH', `/consumers/${record.id}`, { description: `${round}-${index}` }, headers),
      );
      expect(counted(answers)).toEqual({ 200: 1, 412: writers - 1 });
      const winner = answers.find((answer) => answer.status === 200);
      const after = await call(0, 'GET', `/consumers/${record.id}`);
      expect(after.body).toEqual(winner?.body);
      expect(after.body.revision).toBe(before.body.revision + 1);
    }
  });

  it('without an ETag every change counts: none is lost', async () => {
    const record = await make('/consumers', { username: 'busy' });
    const answers = await times((index) =>
      call(index, 'PATCH', `/consumers/${record.id}`, { labels: { [`l${index}`]: '1' } }),
    );
    expect(counted(answers)).toEqual({ 200: writers });
    const after = (await call(0, 'GET', `/consumers/${record.id}`)).body;
    expect(Object.keys(after.labels)).toHaveLength(writers);
    expect(after.revision).toBe(writers + 1);
  });

  it('no reference is left to what was deleted beside it', async () => {
    for (let round = 0; round < rounds * 3; round += 1) {
      const service = await make('/gateways/edge/services', { name: `target-${round}`, url: 'http://a.test' });
      const create = () =>
        call(0, 'POST', '/gateways/edge/routes', { name: `r-${round}`, path: `/r/${round}`, service_id: service.id });
      const remove = () => call(1, 'DELETE', `/gateways/edge/services/${service.id}`);
      const [first, second] = round % 2 === 0 ? [create, remove] : [remove, create];
      const [one, other] = await Promise.all([first(), second()]);
      const [created, removed] = round % 2 === 0 ? [one, other] : [other, one];
      const outcome = `${created.status} ${removed.status}`;
      expect(['201 409', '422 204']).toContain(outcome);
      const left = await call(0, 'GET', `/gateways/edge/services/${service.id}`);
      expect(left.status).toBe(created.status === 201 ? 200 : 404);
    }
    const dangling = await context
      .database()
      .read.selectFrom('resource_references as reference')
      .leftJoin('resources', (join) =>
        join
          .onRef('resources.tenant_id', '=', 'reference.tenant_id')
          .onRef('resources.family', '=', 'reference.target_family')
          .onRef('resources.id', '=', 'reference.target_id'),
      )
      .select('reference.id')
      .where('resources.id', 'is', null)
      .execute();
    expect(dangling).toEqual([]);
  });

  it('a list of references and a deletion of one of its targets agree in the end', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const gateway = await make('/gateways', { name: `listed-${round}` });
      const realm = await make('/realms', { name: `realm-${round}`, gateway_ids: ['edge'] });
      const [changed, removed] = await Promise.all([
        call(0, 'PATCH', `/realms/${realm.id}`, { gateway_ids: ['edge', gateway.id] }),
        call(1, 'DELETE', `/gateways/${gateway.id}`),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 422]).toContain(changed.status);
      expect((await call(0, 'GET', `/realms/${realm.id}`)).body.gateway_ids).toEqual(['edge']);
    }
  });
});

function isBefore({ username }: { readonly username: string }): boolean {
  return username.startsWith('before-');
}
