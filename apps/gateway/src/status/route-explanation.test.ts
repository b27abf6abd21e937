import { expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

const service = { id: 's', name: 'users', url: 'http://127.0.0.1:9/base' };
const routes = [
  { id: 'r1', name: 'all', service_id: 's', paths: ['/'] },
  { id: 'r2', name: 'users', service_id: 's', paths: ['/users'] },
  { id: 'r3', name: 'keyed', service_id: 's', paths: ['/users'], headers: { 'x-key': ['secret-7d1f'] } },
];

it('lists the routes in order, page by page, and says why a request leads to one', { timeout: 60_000 }, async () => {
  await using gateway = await startTestGateway({ services: [service], routes });
  const ask = async (query: string): Promise<unknown> => {
    const text = await (await fetch(`${gateway.statusUrl}/routes?${query}`)).text();
    expect(text).not.toContain('secret-7d1f');
    return JSON.parse(text);
  };
  expect(await ask('')).toMatchObject({ total: 3, items: [{ name: 'keyed' }, { name: 'users' }, { name: 'all' }] });
  expect(await ask('skip=1&limit=1')).toMatchObject({ total: 3, items: [{ id: 'r2' }] });
  expect(await ask('host=a.test&path=/%75sers/42')).toMatchObject({
    request: { method: 'GET', host: 'a.test', path: '/users/42' },
    ...{ refused: null, route: { id: 'r2' }, service: { id: 's' }, upstream_path: '/base/42', won_by: 'path_length' },
    candidates: [
      { route: { id: 'r3' }, outcome: 'unmet', unmet: ['headers'] },
      { route: { id: 'r2' }, outcome: 'won' },
      { route: { id: 'r1' }, outcome: 'lost', lost_by: 'path_length' },
    ],
  });
  expect(await ask('host=a.test&path=/users&header=X-Key:%20other')).toMatchObject({ route: { id: 'r2' } });
  expect(await ask('host=a.test&path=/a%255Cb')).toMatchObject({ refused: { status: 400 }, route: null });
});

it('is 503 before there is a configuration', async () => {
  await using gateway = await startTestGateway();
  expect((await fetch(`${gateway.statusUrl}/routes`)).status).toBe(503);
});

it('a path too long for the expressions it would have to be matched with is 414, here and on the proxy', async () => {
  const costly = '.*(a|b|[a-c]|ab|.c){60}.*x[^/]$';
  const known = [
    ...routes,
    { id: 'r4', name: 'costly', service_id: 's', paths: [`~/rx/${costly}`] },
    { id: 'r5', name: 'costly-last', service_id: 's', paths: [`~/ry/${costly}`] },
    { id: 'r6', name: 'early', service_id: 's', paths: ['/ry'], priority: 5 },
  ];
  await using gateway = await startTestGateway({ services: [service], routes: known });
  const long = 'ab'.repeat(5000);
  const refused = await fetch(`http://127.0.0.1:${gateway.port}/rx/${long}`);
  expect([refused.status, await refused.json()]).toMatchObject([414, { code: 'path_too_long' }]);
  const explained = await fetch(`${gateway.statusUrl}/routes?host=a.test&path=/rx/${long}`);
  expect(await explained.json()).toMatchObject({ refused: { status: 414 }, route: null });
  expect((await fetch(`${gateway.statusUrl}/routes?host=a.test&path=/ry/${long}`)).status).toBe(422);
});
