import { describe, expect, it } from 'vitest';
import { fakeCloud, type FakeCloudAccount, type FakeCloudApi } from '../../testing/fake-cloud.ts';
import { type FakeSystem, startFakeSystem } from '../../testing/fake-system.ts';
import { failing } from '../../testing/faults.ts';
import { divertedTo, failureOf, realWorld, stillClock } from '../../testing/sync.test-support.ts';
import type { CloudApiGatewayConfig } from './config.ts';
import { cloudApiGateway } from './index.ts';

const region = 'eu-central-1';
const secrets = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const account = { region, accessKeyId: secrets.access_key_id, secretAccessKey: secrets.secret_access_key };

function apis(prefix: string, count: number, stages: readonly string[] = ['prod']): FakeCloudApi[] {
  return Array.from({ length: count }, (_, at) => ({ id: `${prefix}${at}`, name: `${prefix} ${at}`, stages }));
}

async function start(more: Partial<FakeCloudAccount> = {}): Promise<FakeSystem> {
  return await startFakeSystem(fakeCloud({ ...account, ...more }));
}

async function inventory({ url }: FakeSystem, more: Partial<CloudApiGatewayConfig> = {}) {
  return await cloudApiGateway.sync({ config: { region, endpoint_url: url, ...more }, secrets, ...realWorld() });
}

describe('the cloud API gateway inventory', () => {
  it('records both lists, and the stages of their APIs', async () => {
    await using system = await start({
      restApis: [{ id: 'r1', name: 'orders', stages: ['prod', 'test'] }],
      httpApis: [{ id: 'h1', name: 'carts', stages: ['$default'] }],
    });
    expect(await inventory(system)).toEqual({
      region,
      rest_api_count: 1,
      http_api_count: 1,
      api_count: 2,
      stage_count: 3,
      truncated: false,
      apis: [
        {
          id: 'r1',
          name: 'orders',
          type: 'REST',
          created_date: '2026-01-01T00:00:00.000Z',
          stage_names: ['prod', 'test'],
        },
        { id: 'h1', name: 'carts', type: 'HTTP', created_date: '2026-01-01T00:00:00.000Z', stage_names: ['$default'] },
      ],
    });
    expect(system.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /restapis?limit=25',
      'GET /v2/apis?MaxResults=25',
      'GET /restapis/r1/stages',
      'GET /v2/apis/h1/stages',
    ]);
  });

  it('records an empty account', async () => {
    await using system = await start();
    expect(await inventory(system)).toEqual({
      region,
      rest_api_count: 0,
      http_api_count: 0,
      api_count: 0,
      stage_count: 0,
      truncated: false,
      apis: [],
    });
  });

  it.each([
    [{}, {}, false],
    [{ item: null }, { items: null }, false],
    [{ position: 'p' }, { items: [], nextToken: null }, true],
  ])('takes %j and %j for empty pages', async (rest, http, truncated) => {
    await using system = await startFakeSystem(({ path }) => ({
      status: 200,
      body: path === '/restapis' ? rest : http,
    }));
    expect(await inventory(system)).toMatchObject({ api_count: 0, truncated });
  });

  it('is truncated when there are more stages than it reads', async () => {
    await using system = await startFakeSystem(({ path }) => {
      if (path === '/restapis') return { status: 200, body: {} };
      if (path === '/v2/apis') return { status: 200, body: { items: [{ apiId: 'h1' }] } };
      return { status: 200, body: { items: [{ stageName: 'a' }, {}, { stageName: 'b' }], nextToken: 'more' } };
    });
    expect(await inventory(system)).toMatchObject({ api_count: 1, stage_count: 2, truncated: true });
  });

  it('reads the stages of the first ten APIs, REST APIs first', async () => {
    await using system = await start({ restApis: apis('r', 7), httpApis: apis('h', 7) });
    const { apis: listed, stage_count: count, truncated } = await inventory(system);
    const asked = system.requests.map(({ path }) => path).filter((path) => path.endsWith('/stages'));
    const withStages = listed.filter(({ stage_names: names }) => names.length > 0).map(({ id }) => id);
    expect(withStages).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'h0', 'h1', 'h2']);
    expect(asked).toHaveLength(10);
    expect([listed.length, count, truncated]).toEqual([14, 10, false]);
  });

  it.each([0, 2, 50])('reads the stages of %i APIs where the config says so', async (limit) => {
    await using system = await start({ restApis: apis('r', 15) });
    const { stage_count: count } = await inventory(system, { stage_api_limit: limit });
    expect(count).toBe(Math.min(limit, 15));
  });

  it.each([
    ['REST', { restApis: apis('r', 4) }],
    ['HTTP', { httpApis: apis('h', 4) }],
  ])('is truncated when there are more %s APIs than a page holds', async (_list, more) => {
    await using system = await start(more);
    const cut = await inventory(system, { page_size: 3 });
    const whole = await inventory(system, { page_size: 4 });
    expect([cut.api_count, cut.truncated, whole.api_count, whole.truncated]).toEqual([3, true, 4, false]);
  });

  it('lists no more than it asked for, whatever comes', async () => {
    const item = Array.from({ length: 9 }, (_, at) => ({ id: `r${at}` }));
    await using system = await startFakeSystem(() => ({ status: 200, body: { item, items: [], nextToken: '' } }));
    const { rest_api_count: count, truncated } = await inventory(system, { page_size: 2, stage_api_limit: 0 });
    expect([count, truncated]).toEqual([2, true]);
  });

  it('makes no address of an identifier that is none, and keeps what is readable of the rest', async () => {
    const items = [
      { apiId: '../../v2/apis', name: 'climbs' },
      { apiId: 'ok1', name: 'x'.repeat(1000), protocolType: 'WEBSOCKET', createdDate: 'yesterday' },
      null,
      { apiId: 'ok2', name: { first: 1 }, createdDate: 1e300 },
    ];
    await using system = await startFakeSystem(() => ({ status: 200, body: { item: [], items } }));
    const { apis: listed } = await inventory(system, { stage_api_limit: 0 });
    expect(listed).toEqual([
      { id: 'ok1', name: 'x'.repeat(256), type: 'WEBSOCKET', created_date: null, stage_names: [] },
      { id: 'ok2', name: null, type: 'HTTP', created_date: null, stage_names: [] },
    ]);
  });

  it('signs with the session token of temporary credentials', async () => {
    await using system = await start({ sessionToken: 'temporary-token', restApis: apis('r', 1) });
    const withToken = { ...secrets, session_token: 'temporary-token' };
    const config = { region, endpoint_url: system.url };
    const metadata = await cloudApiGateway.sync({ config, secrets: withToken, ...realWorld() });
    const without = await failureOf(cloudApiGateway.sync({ config, secrets, ...realWorld() }));
    expect([metadata.api_count, without.code]).toEqual([1, 'forbidden']);
  });

  it('signs for its region, with its key, at its time', async () => {
    await using system = await start();
    const config = { region: 'us-east-1', endpoint_url: system.url };
    const elsewhere = await failureOf(cloudApiGateway.sync({ config, secrets, ...realWorld() }));
    expect([elsewhere.code, elsewhere.metadata.region]).toEqual(['forbidden', 'us-east-1']);
    expect(system.requests.map(({ headers }) => headers['x-amz-date'])).toEqual(['20260203T040506Z']);
  });

  it('says which request failed', async () => {
    await using system = await start({ restApis: apis('r', 1) });
    system.fault = failing(429, { 'x-amzn-requestid': 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef' });
    const failures = [];
    for (const path of ['/restapis', '/v2/', '/restapis/r0/stages']) {
      system.faultPath = path;
      failures.push((await failureOf(inventory(system))).metadata);
    }
    const request_id = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';
    expect(failures).toEqual(
      ['rest_apis', 'http_apis', 'stages'].map((request) => ({ region, request, http_status: 429, request_id })),
    );
  });
});

describe('where the cloud is', () => {
  const behaviour = () => ({ status: 200, body: { item: [], items: [] } });

  it.each([
    ['eu-central-1', {}, {}, 'https://apigateway.eu-central-1.amazonaws.com'],
    ['us-gov-west-1', {}, {}, 'https://apigateway.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', {}, {}, 'https://apigateway.cn-north-1.amazonaws.com.cn'],
    ['eu-central-1', {}, { AWS_ENDPOINT_URL: 'http://all.test' }, 'http://all.test'],
    [
      'eu-central-1',
      {},
      { AWS_ENDPOINT_URL: 'http://all.test', AWS_ENDPOINT_URL_API_GATEWAY: 'http://this.test/' },
      'http://this.test',
    ],
    [
      'eu-central-1',
      {},
      { AWS_ENDPOINT_URL: '', HOME: 'http://x.test' },
      'https://apigateway.eu-central-1.amazonaws.com',
    ],
    [
      'eu-central-1',
      { endpoint_url: 'https://own.test:8443/base/' },
      { AWS_ENDPOINT_URL: 'http://all.test' },
      'https://own.test:8443/base',
    ],
  ])('%s with %o and %o', async (of, more, environment, wanted) => {
    await using system = await startFakeSystem(behaviour);
    const meant: string[] = [];
    const fetch = divertedTo(system, meant);
    await cloudApiGateway.sync({ config: { region: of, ...more }, secrets, fetch, clock: stillClock(), environment });
    expect(meant).toEqual([`${wanted}/restapis?limit=25`, `${wanted}/v2/apis?MaxResults=25`]);
  });

  it.each(['not an address', 'ftp://a.test', 'https://a.test/?b'])('the variable %j is none', async (given) => {
    const environment = { AWS_ENDPOINT_URL: given };
    const error = await failureOf(cloudApiGateway.sync({ config: { region }, secrets, ...realWorld(), environment }));
    expect([error.code, error.message]).toEqual(['invalid_input', 'the variable AWS_ENDPOINT_URL holds no address']);
  });

  it.each(['us-east-1.evil.test/#', 'us-east-1@evil.test', 'US-EAST-1', 'us-east-1\n', 'useast1', '../eu-west-1', ''])(
    'the region %j is none',
    async (given) => {
      const meant: string[] = [];
      const fetch = async (url: string) => {
        meant.push(url);
        throw new Error('called');
      };
      const config = { region: given };
      const error = await failureOf(cloudApiGateway.sync({ config, secrets, fetch, clock: stillClock() }));
      expect([error.code, error.issues.map(({ pointer }) => pointer), meant]).toEqual([
        'invalid_input',
        ['/config/region'],
        [],
      ]);
    },
  );
});
