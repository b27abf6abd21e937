import { describe, expect, it } from 'vitest';
import { fakeRegistry, type FakeRegisteredApi } from '../../testing/fake-registry.ts';
import { startFakeSystem } from '../../testing/fake-system.ts';
import { divertedTo, realWorld, stillClock } from '../../testing/sync.test-support.ts';
import { apiRegistry } from './index.ts';

const secrets = { api_key: 'registry-key' };

function many(count: number): FakeRegisteredApi[] {
  return Array.from({ length: count }, (_, at) => ({ owner: 'acme', name: `api-${at}`, version: '1.0.0' }));
}

describe('the API registry', () => {
  it("records an owner's APIs", async () => {
    const apis = [
      { owner: 'acme', name: 'orders', version: '2.1.0', isPrivate: true, isPublished: false },
      { owner: 'acme', name: 'carts', version: '1.0.0' },
      { owner: 'other', name: 'hidden', version: '1.0.0' },
    ];
    await using system = await startFakeSystem(fakeRegistry({ apiKey: 'registry-key', apis }));
    const config = { base_url: system.url, owner: 'acme' };
    expect(await apiRegistry.sync({ config, secrets, ...realWorld() })).toEqual({
      owner: 'acme',
      api_count: 2,
      apis: [
        { owner: 'acme', name: 'orders', version: '2.1.0', visibility: 'private', published: false },
        { owner: 'acme', name: 'carts', version: '1.0.0', visibility: 'public', published: true },
      ],
      truncated: false,
    });
    expect(system.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /apis/acme?limit=50&page=0']);
  });

  it.each([
    ['totalCount', 51, 51, true],
    ['totalCount', 50, 50, false],
    ['total', 120, 120, true],
    ['none', 49, 49, false],
    ['none', 51, 50, true],
  ] as const)('reads one page; with the total as %s of %i APIs', async (total, count, api_count, truncated) => {
    await using system = await startFakeSystem(fakeRegistry({ apiKey: 'registry-key', apis: many(count), total }));
    const metadata = await apiRegistry.sync({ config: { base_url: system.url }, secrets, ...realWorld() });
    expect(metadata).toMatchObject({ owner: null, api_count, truncated });
    expect([metadata.apis.length, system.requests.length]).toEqual([Math.min(count, 50), 1]);
    expect(system.requests[0]?.url).toBe('/apis?limit=50&page=0');
  });

  it('asks the registry of the vendor unless told otherwise, below the path of the address', async () => {
    await using system = await startFakeSystem(() => ({ status: 200, body: { apis: [] } }));
    const meant: string[] = [];
    const world = { secrets, fetch: divertedTo(system, meant), clock: stillClock() };
    await apiRegistry.sync({ config: {}, ...world });
    await apiRegistry.sync({ config: { base_url: 'https://registry.example/v1/' }, ...world });
    expect(meant).toEqual([
      'https://api.swaggerhub.com/apis?limit=50&page=0',
      'https://registry.example/v1/apis?limit=50&page=0',
    ]);
  });

  it('takes fields of an entry at their word, and says what it does not know', async () => {
    const apis = [
      { owner: 'a', name: 'b', version: 3, visibility: 'PRIVATE', published: true },
      {
        name: 'lone',
        properties: [{ type: 'X-Private', value: 'perhaps' }, 7, { type: 'Swagger', url: 'no address' }],
      },
      'nothing',
      { properties: [{ type: 'Swagger', url: 'https://r.test/apis/a%20b/c%zz/1' }] },
    ];
    await using system = await startFakeSystem(() => ({ status: 200, body: { apis } }));
    const { apis: listed } = await apiRegistry.sync({ config: { base_url: system.url }, secrets, ...realWorld() });
    expect(listed).toEqual([
      { owner: 'a', name: 'b', version: '3', visibility: 'private', published: true },
      { owner: null, name: 'lone', version: null, visibility: null, published: null },
      { owner: null, name: null, version: null, visibility: null, published: null },
      { owner: 'a b', name: 'c%zz', version: '1', visibility: null, published: null },
    ]);
  });

  it.each(['..', '.', 'a/b', 'a?b', 'ä', ''])('the owner %j is none: it is part of an address', (owner) => {
    expect(apiRegistry.check({ config: { owner }, secrets }).map(({ pointer }) => pointer)).toEqual(['/config/owner']);
  });
});
