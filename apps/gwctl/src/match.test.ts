import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gwctlHome, startFakeApi } from './fake-api.test-support.ts';

const found = {
  ...{
    gateway: { id: 'g1', name: 'edge' },
    revision: 7,
    outcome: 'matched',
    status: null,
    detail: 'the request goes on',
  },
  ...{ request: null, route: { id: 'r1', name: 'orders' }, won_by: 'path_length', matched: null },
  candidates: [
    { route: { id: 'r1', name: 'orders' }, host: null, path: null, outcome: 'won', lost_by: null, unmet: [] },
    { route: { id: 'r2', name: 'posts' }, host: null, path: null, outcome: 'unmet', lost_by: null, unmet: ['method'] },
  ],
  ...{ candidates_total: 2, service: { id: 's1', name: 'shop' }, upstream_path: '/base/42' },
  plugins: [{ id: 'p1', name: 'cors', source: 'inline', scope: null, included: true, reason: 'inline' }],
  plugins_total: 1,
};
const refused = { ...found, outcome: 'no_route', status: 404, detail: 'no route matched', route: null };

async function withApi(answer: object) {
  const server = await startFakeApi({
    'GET /api/v1/admin/gateways/edge': { id: 'g1', name: 'edge' },
    'GET /api/v1/admin/consumers/ann': { id: 'c1', username: 'ann' },
    'POST /api/v1/admin/gateways/g1/routes/match': answer,
  });
  const home = await gwctlHome();
  const contexts = { c: { api_url: server.url, token: 'gwadm_1_secret', tenant_id: 'acme' } };
  writeFileSync(home.config, JSON.stringify({ current: 'c', contexts }), { mode: 0o600 });
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await server.close();
  };
  return { ...home, server, [Symbol.asyncDispose]: dispose };
}

it('asks with the request as it is given, and says where it goes and why', async () => {
  await using home = await withApi(found);
  const given = ['--method', 'POST', '--header', 'X-Key: a: b', '--header', 'X-Key: c', '--consumer-id', 'ann'];
  const run = await home.run('match', 'https://shop.test:8443/%6Frders//42?a=1', '--gateway-id', 'edge', ...given);
  expect(run).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: [
      'outcome        matched',
      'detail         the request goes on',
      'route          orders',
      'won by         path_length',
      'service        shop',
      'upstream path  /base/42',
      '',
      'CANDIDATE  OUTCOME  LOST BY  NOT MET',
      'orders     won      -        -',
      'posts      unmet    -        method',
      '',
      'PLUGIN  SOURCE  RUNS  WHY',
      'cors    inline  yes   inline',
      '',
    ].join('\n'),
  });
  const asked = home.server.requests.find(({ method }) => method === 'POST');
  expect(JSON.parse(String(asked?.body))).toEqual({
    ...{ method: 'POST', protocol: 'https', host: 'shop.test:8443', path: '/%6Frders//42?a=1' },
    ...{ headers: { 'X-Key': ['a: b', 'c'] }, consumer_id: 'c1' },
  });
});

it('ends with 1 where the gateway answers by itself', async () => {
  await using home = await withApi(refused);
  const run = await home.run('match', 'http://shop.test', '--gateway-id', 'edge', '-o', 'json');
  expect([run.exitCode, JSON.parse(run.stdout)]).toEqual([1, refused]);
});

it.each([
  ['no address', ['shop.test/x']],
  ['a header without a colon', ['http://shop.test/', '--header', 'X-Key']],
])('%s is refused', async (_what, args) => {
  await using home = await withApi(found);
  const run = await home.run('match', ...args, '--gateway-id', 'edge');
  expect([run.exitCode, run.stderr]).toEqual([1, expect.stringContaining('is given as')]);
});
