import { temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';

let folder: TemporaryFolder;
let service: TestService;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startTestService(`sqlite:${folder.join('test.db')}`);
  await service.addTenant('acme');
  await made('/gateways', { id: 'a>b"; rel="evil', name: 'never' }, 422);
  await made('/gateways', { id: 'edge', name: 'edge' });
  for (let index = 0; index < 7; index += 1) {
    const labels = { side: index % 2 === 0 ? 'even' : 'odd', text: 'a=b&c' };
    await made('/gateways/edge/services', { name: `s${index}`, url: 'http://a.test', labels, enabled: index !== 6 });
  }
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

async function made(path: string, body: object, status = 201): Promise<void> {
  expect((await service.call('POST', `/api/v1/admin${path}?tenant_id=acme`, body)).status).toBe(status);
}

/** Follows the links of a list in one direction and gives the names on its pages. */
async function walk(path: string, rel: 'next' | 'prev'): Promise<{ names: string[][]; totals: Set<string | null> }> {
  const names: string[][] = [];
  const totals = new Set<string | null>();
  let at: string | undefined = path;
  while (at !== undefined) {
    const answer = await service.call('GET', at);
    expect(answer.status, at).toBe(200);
    names.push(answer.body.items.map(({ name }: { name: string }) => name));
    totals.add(answer.headers.get('x-total-count'));
    at = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1];
    expect(names.length).toBeLessThan(10);
  }
  return { names, totals };
}

describe('the links of a list', () => {
  it.each(['/api/v1/admin', '/admin'])(
    'lead through all pages and back under %s, with filters and order',
    async (prefix) => {
      const path = `${prefix}/gateways/edge/services?tenant_id=acme&enabled=true&sort=name&order=desc`;
      const forward = await walk(`${path}&limit=2&labels=side%3Deven`, 'next');
      expect(forward).toEqual({ names: [['s4', 's2'], ['s0']], totals: new Set(['3']) });
      const back = await walk(`${path}&limit=2&skip=4`, 'prev');
      expect(back).toEqual({
        names: [
          ['s1', 's0'],
          ['s3', 's2'],
          ['s5', 's4'],
        ],
        totals: new Set(['6']),
      });
    },
  );

  it('keep odd characters of path and query in their place', async () => {
    const { headers } = await service.call(
      'GET',
      '/admin/gateways/edge/services/?tenant_id=acme&limit=1&labels=text%3Da%3Db%26c',
    );
    const link = headers.get('link') ?? '';
    expect(link).toMatch(/^<\/admin\/gateways\/edge\/services\/\?[^<>" ]+>; rel="next"$/);
    expect(new URL(link.slice(1, link.indexOf('>')), service.url).searchParams.get('labels')).toBe('text=a=b&c');
  });

  it('are not there for a list of one page, and HEAD says the total too', async () => {
    const path = '/admin/gateways/edge/services?tenant_id=acme&name=s1';
    const answer = await service.call('GET', path);
    expect([answer.headers.get('x-total-count'), answer.headers.has('link')]).toEqual(['1', false]);
    const head = await service.call('HEAD', path);
    expect([head.status, head.headers.get('x-total-count'), head.body]).toEqual([200, '1', undefined]);
  });
});

const hostile: readonly (readonly [name: string, body: string, statuses: readonly number[]])[] = [
  ['deep', '['.repeat(100_000) + ']'.repeat(100_000), [400]],
  ['deep in a field', `{"name":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, [400]],
  ['a duplicate key', '{"name":"a","name":"b"}', [400]],
  ['__proto__', '{"__proto__":{"name":"a"}}', [400]],
  ['constructor', '{"constructor":{"prototype":{"name":"a"}}}', [400]],
  ['many keys', `{${Array.from({ length: 10_001 }, (_, index) => `"k${index}":1`).join(',')}}`, [400]],
  ['many mistakes', `{${Array.from({ length: 1_000 }, (_, index) => `"k${index}":1`).join(',')}}`, [422, 200]],
  ['a huge number', '{"name":1e400}', [400]],
  ['odd names', '{"":{"toString":1,"hasOwnProperty":2,"valueOf":null}}', [422, 200]],
];

describe('a hostile body', { timeout: 60_000 }, () => {
  it.each(hostile)(
    '%s is refused by every operation under every prefix, and nothing breaks',
    async (_name, body, allowed) => {
      const { paths } = (await service.call('GET', '/openapi.json')).body as {
        paths: Record<
          string,
          Record<string, { requestBody?: object; parameters: { name?: string; in?: string }[]; 'x-access': string }>
        >;
      };
      const targets = Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([, operation]) => operation.requestBody && operation['x-access'] !== 'data_plane')
          .flatMap(([method, { parameters }]) => {
            const isOfTenant = parameters.some((given) => given.name === 'tenant_id' && given.in === 'query');
            return [path, path.replace('/api/v1/admin', '/admin')].map((at) => ({ method, at, isOfTenant }));
          }),
      );
      expect(targets.length).toBeGreaterThan(100);
      for (const { method, at, isOfTenant } of targets) {
        const path = at.replaceAll(/\{[^}]+\}/g, 'edge');
        const query = isOfTenant ? '?tenant_id=acme' : '';
        const answer = await service.call(method.toUpperCase(), path + query, body);
        // A record of the path that is not there may be found first; bodies of logins are small.
        expect([...allowed, 404, ...(path.includes('/auth/') ? [413] : [])], `${method} ${path}`).toContain(
          answer.status,
        );
        if (answer.status >= 400) {
          expect(answer.headers.get('content-type'), path).toBe('application/problem+json');
          expect(answer.body.request_id, path).toBe(answer.headers.get('x-request-id'));
          expect(answer.body.errors?.length ?? 0, path).toBeLessThanOrEqual(100);
        }
      }
      expect(({} as { name?: unknown }).name).toBeUndefined();
    },
  );
});
