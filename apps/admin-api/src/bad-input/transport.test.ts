import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DescribedOperation } from '../isolation/described-operations.test-support.ts';
import { inParallel, type SentRequest } from '../isolation/http-client.test-support.ts';
import {
  type BadInputWorld,
  distinctOperations,
  problemMistake,
  requestWith,
  startBadInputWorld,
  validRequest,
  writtenRows,
} from './bad-input-world.test-support.ts';
import { queryCases } from './query-cases.test-support.ts';
import { readableBodies, transportCases, yamlCases } from './transport-cases.test-support.ts';

const timeoutMs = 240_000;
const megabyte = 1024 * 1024;
const jsonHeader = { 'content-type': 'application/json' };

type Valid = Awaited<ReturnType<typeof validRequest>>;
interface Called {
  readonly operation: DescribedOperation;
  readonly valid: Valid;
}

describe('what is wrong around the fields', () => {
  let world: BadInputWorld;
  let called: readonly Called[] = [];
  let withBody: readonly Called[] = [];
  beforeAll(async () => {
    world = await startBadInputWorld();
    const operations = distinctOperations(world);
    const all = operations.map(async (operation) => ({ operation, valid: await validRequest(world, operation) }));
    called = await Promise.all(all);
    withBody = called.filter(({ operation }) => operation.body);
  }, timeoutMs);
  afterAll(() => world.stop());
  afterEach(() => expect(world.takeScandals(), 'answers that may never be given').toEqual([]));

  /** Makes every request; says which are not answered with that problem, and whether anything was written. */
  const expectRefused = async (
    requests: readonly { title: string; request: SentRequest; status: number; code?: string; pointer?: string }[],
  ): Promise<void> => {
    const before = await writtenRows(world.database);
    const mistakes: string[] = [];
    await inParallel(requests, async ({ title, request, status, code, pointer }) => {
      const reply = await world.client.send(request);
      const mistake = problemMistake(reply, status, code);
      const pointers: string[] = (reply.json?.errors ?? []).map((error: { pointer: string }) => error.pointer);
      const isPointedAt = pointer === undefined || pointers.includes(pointer);
      if (mistake !== undefined || !isPointedAt) mistakes.push(`${title}: ${mistake ?? JSON.stringify(pointers)}`);
    });
    expect(mistakes).toEqual([]);
    expect(await writtenRows(world.database)).toEqual(before);
  };

  it(
    'refuses bodies that are no JSON, or not the kind that is read',
    async () => {
      const requests = withBody.flatMap(({ operation, valid }) =>
        transportCases
          .filter((one) => one.only !== 'plain' || !operation.path.includes('/data-plane/'))
          // A body that may be left out is not missed, and has no fields of those names.
          .filter((one) => operation.body?.required || one.change.body !== '')
          // What is wrong with the content of a bundle is said in the answer.
          .filter((one) => operation.tag !== 'configuration' || one.status !== 422 || /NUL|pair/.test(one.title))
          .map(({ title, change, ...expected }) => ({
            title: `${operation.title}: ${title}`,
            request: requestWith(valid, change),
            ...(isTooLarge(operation, change.body) ? { status: 413, code: 'body_too_large' } : expected),
          })),
      );
      expect(requests.length).toBeGreaterThan(1000);
      await expectRefused(requests);
    },
    timeoutMs,
  );

  it('reads bodies that are just within the bounds', { timeout: timeoutMs }, async () => {
    const mistakes: string[] = [];
    // One of each kind: such bodies take a while, and what reads them is the same.
    const kinds = new Map(withBody.map((one) => [one.operation.tag, one])).values();
    await inParallel(kinds, async ({ operation, valid }) => {
      for (const [title, body] of readableBodies.filter(([, text]) => !isTooLarge(operation, text))) {
        const request = requestWith(valid, { body, headers: jsonHeader });
        const reply = await world.client.send(request);
        const isRead = reply.status === 422 || (operation.tag === 'configuration' && reply.status < 500);
        if (!isRead || reply.json?.code === 'malformed_body') {
          mistakes.push(`${operation.title}: ${title}: ${reply.status} ${reply.text.slice(0, 200)}`);
        }
      }
    });
    expect(mistakes).toEqual([]);
  });

  it('refuses bodies that are too large', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(megabyte) });
    // These take more: bundles, reports of gateways, and versions with their descriptions.
    const takesMore = /\/config\/|\/(observations|heartbeat|versions|versions\/\{version_id\})$/;
    const small = withBody.filter(({ operation }) => !takesMore.test(operation.path));
    const requests = small.map(({ operation, valid }) => ({
      title: operation.title,
      request: requestWith(valid, { body: large, headers: jsonHeader }),
      status: 413,
      code: 'body_too_large',
    }));
    expect(requests.length).toBeGreaterThan(40);
    await expectRefused(requests);
  });

  it('refuses YAML that is no plain document', async () => {
    const takers = withBody.filter(({ operation }) => operation.body?.takesYaml);
    expect(takers.length).toBeGreaterThanOrEqual(3);
    const requests = takers.flatMap(({ operation, valid }) =>
      yamlCases.map(([title, body]) => ({
        title: `${operation.title}: ${title}`,
        request: requestWith(valid, { body, headers: { 'content-type': 'application/yaml' } }),
        status: 400,
        code: 'malformed_body',
      })),
    );
    await expectRefused(requests);
  });

  it('knows no other methods, and names those that it knows', async () => {
    const byPath = new Map<string, { methods: Set<string>; path: string }>();
    for (const operation of world.description.operations) {
      const shape = operation.path.replaceAll(/\{[^}]+\}/g, '{}');
      const entry = byPath.get(shape) ?? { methods: new Set(), path: operation.path.replaceAll(/\{[^}]+\}/g, 'x') };
      entry.methods.add(operation.method);
      byPath.set(shape, entry);
    }
    const mistakes: string[] = [];
    await inParallel(byPath.values(), async ({ methods, path }) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE']) {
        if (methods.has(method)) continue;
        const reply = await world.client.send({ method, path, token: world.service.token });
        const allowed = new Set(String(reply.headers.allow).split(', '));
        const isNamed = [...methods].every((known) => allowed.has(known)) && !allowed.has(method);
        const mistake = problemMistake(reply, 405, 'method_not_allowed') ?? (isNamed ? undefined : reply.headers.allow);
        // `/tenants/current` is a fixed word where `/tenants/{id}` has a parameter.
        if (mistake !== undefined && reply.status !== 404) mistakes.push(`${method} ${path}: ${mistake}`);
      }
    });
    expect(mistakes).toEqual([]);
  });

  it(
    'refuses query parameters that are repeated, out of bounds, or unknown to a write',
    async () => {
      const requests = called.flatMap(({ operation, valid }) =>
        queryCases(operation).map(({ title, query, ...expected }) => ({
          title: `${operation.title}?${title}`,
          request: requestWith(valid, { path: `${valid.path}?${query}` }),
          ...expected,
        })),
      );
      expect(requests.length).toBeGreaterThan(700);
      await expectRefused(requests);
    },
    timeoutMs,
  );

  it('reads what else it is asked for, but for what it does not know', async () => {
    const reads = called.filter(
      ({ operation }) => operation.method === 'GET' && operation.tag !== 'data plane protocol',
    );
    const mistakes: string[] = [];
    await inParallel(reads, async ({ operation, valid }) => {
      const plain = await world.client.send(requestWith(valid, {}));
      const odd = await world.client.send(requestWith(valid, { path: asking(valid, 'zz_unknown=1&__proto__=x') }));
      const body = { body: '{"a":', headers: jsonHeader };
      const loaded = await world.client.send(requestWith(valid, body));
      const edges = operation.queryParameters.flatMap(({ name, schema }) =>
        [schema['minimum'], schema['maximum']].flatMap((bound) =>
          typeof bound === 'number' ? [`${name}=${bound}`] : [],
        ),
      );
      const statuses = [odd.status, loaded.status];
      for (const edge of edges) {
        statuses.push((await world.client.send(requestWith(valid, { path: asking(valid, edge) }))).status);
      }
      if (statuses.some((status) => status !== plain.status)) {
        mistakes.push(`${operation.title}: ${plain.status}, but ${statuses.join(' and ')}`);
      }
    });
    expect(mistakes).toEqual([]);
  });

  it('has no record of a name that no record can have', async () => {
    const hostile = [
      '%00',
      'a%00b',
      '%ff',
      '%ED%A0%80',
      '%',
      '%zz',
      '..%2f..%2fetc',
      '%2e%2e',
      '__proto__',
      'constructor',
      "'%20or%201=1--",
      '%0d%0aset-cookie:x',
      'x'.repeat(600),
      '%F0%9F%A6%8A',
      '${jndi:ldap://x}',
    ];
    const mistakes: string[] = [];
    const records = called.filter(({ operation }) => operation.pathParameters.length > 0);
    await inParallel(records, async ({ operation, valid }) => {
      // A new record may have any ID that can stand in a path.
      const names =
        operation.method === 'PUT' ? hostile.filter((name) => !/^(?:__proto__|constructor)$/.test(name)) : hostile;
      for (const name of names) {
        const path = operation.path.replaceAll(/\{[^}]+\}/g, name);
        const reply = await world.client.send(requestWith(valid, { path }));
        const isRefused = [400, 404, 405, 422].includes(reply.status);
        if (!isRefused || reply.headers['set-cookie']) mistakes.push(`${operation.method} ${path}: ${reply.status}`);
      }
    });
    expect(mistakes).toEqual([]);
  });

  it('takes no harm from headers, and repeats none that could do any', async () => {
    const hostile = [
      'a\tb',
      '"><script>',
      "'; drop table x",
      'a'.repeat(2_000),
      '\u00ff\u00fe',
      '${jndi:ldap://x}',
      '../../x',
    ];
    const names = [
      'x-request-id',
      'if-match',
      'if-none-match',
      'idempotency-key',
      'accept',
      'x-forwarded-for',
      'origin',
    ];
    const mistakes: string[] = [];
    const some = called.filter(({ operation }) => /^(?:list|update|get)(?:Gateways?|Consumers?)$/.test(operation.id));
    await inParallel(some, async ({ operation, valid }) => {
      for (const name of names) {
        for (const value of hostile) {
          const reply = await world.client.send(requestWith(valid, { headers: { ...jsonHeader, [name]: value } }));
          const repeated = Object.values(reply.headers).some((header) => String(header).includes(value));
          const isExpected = [200, 304, 400, 404, 412, 422].includes(reply.status);
          if (!isExpected || repeated)
            mistakes.push(`${operation.title} ${name}: ${value.slice(0, 20)} → ${reply.status}`);
        }
      }
    });
    expect(some.length).toBeGreaterThanOrEqual(6);
    expect(mistakes).toEqual([]);
  });

  it('answers as ever afterwards', async () => {
    expect((await world.client.send({ method: 'GET', path: '/health' })).status).toBe(200);
    expect((await world.client.send({ method: 'GET', path: '/ready' })).json.status).toBe('ready');
    const plain: { x?: unknown } = {};
    expect(plain.x).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    // What was in the requests did not break a line of the log in two.
    for (const line of world.logLines) expect(() => JSON.parse(line)).not.toThrow();
  });
});

/** Bodies of logins are small; so is their bound. */
const authBodyBytesMax = 16_384;

function isTooLarge({ path }: DescribedOperation, body: unknown): boolean {
  const length = typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0;
  return path.includes('/auth/') && length > authBodyBytesMax;
}

/** The path of a request that asks for more than it has to. */
function asking({ path, query }: Valid, more: string): string {
  return `${path}?${new URLSearchParams(query).toString()}&${more}`;
}
