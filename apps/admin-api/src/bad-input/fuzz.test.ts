import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase, type SuiteContext } from '../database/each-database.test-support.ts';
import type { DescribedOperation, Schema } from '../isolation/described-operations.test-support.ts';
import { bodyFor, isCreate } from '../isolation/sample-requests.test-support.ts';
import { type IsolationWorld, startIsolationWorld } from '../isolation/isolation-world.test-support.ts';
import { distinctOperations, requestWith, validRequest } from './bad-input-world.test-support.ts';
import { withValue } from './json-path.test-support.ts';

const timeoutMs = 240_000;
/** Most of it is the same for both databases. */
const triesOn = { sqlite: 2_000, postgres: 300 } as const;
const readTries = 300;
/** Give the seed of a failure again to see it again. */
const seed = Number(process.env['PORTCULLIS_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Texts that have broken something somewhere. */
const nastyTexts = [
  '\0',
  '\ud800',
  '\udfff\ud800',
  "'; drop table resources; --",
  '{{constructor.constructor("return 1")()}}',
  '${7*7}',
  '../../etc/passwd',
  'vault://',
  'vault://a/b/c/d/e',
  '__proto__',
  'http://[::1',
  'https://user:pass@a.test',
  '~(a+)+$',
  '~[',
  '*.*',
  '\r\nset-cookie: a=b',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '9'.repeat(400),
  'ﬃ́'.repeat(90),
  '1e400',
  '2026-02-30T00:00:00Z',
];

const anyText = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ unit: 'binary' }), fc.string());
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 2 ** 31, 2 ** 32),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    anyText,
    anyNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 5 }),
  ),
})).value;

describeOnEachDatabase(`random requests (PORTCULLIS_TEST_SEED=${seed})`, (context: SuiteContext) => {
  const tries = triesOn[context.dialect];
  let world: IsolationWorld;
  let writes: readonly { operation: DescribedOperation; valid: Awaited<ReturnType<typeof validRequest>> }[] = [];
  beforeAll(async () => {
    world = await startIsolationWorld(context.url());
    const operations = distinctOperations(world).filter(
      // One lucky body of this one would end everyone's session.
      ({ body, id }) => body !== undefined && id !== 'rotateSigningKeys',
    );
    writes = await Promise.all(
      operations.map(async (operation) => ({ operation, valid: await validRequest(world, operation) })),
    );
  }, timeoutMs);
  afterAll(() => world.stop());

  /** A valid body with random values in some of its fields, or anything. */
  const bodyOf = (index: number, names: readonly number[], values: readonly unknown[]): unknown => {
    const write = writes[index % writes.length];
    if (!write || names.length === 0) return values[0];
    const { operation, valid } = write;
    const isNew = isCreate(operation) || operation.method === 'PUT';
    const place = { records: world.own.records, mark: world.newMark() };
    const base = isNew ? bodyFor(operation.tag, place) : valid.body;
    const properties = propertyNames(world.description.resolve(operation.body?.schema ?? {}));
    return names.reduce<unknown>((body, pick, at) => {
      const name = properties[pick % Math.max(1, properties.length)];
      return name === undefined ? body : withValue(body, [name], values[at % values.length]);
    }, base);
  };

  it(
    `give no answer from the inside in ${tries} writes of random JSON`,
    async () => {
      const tally = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: 10_000 }),
          fc.array(fc.nat({ max: 100 }), { maxLength: 3 }),
          fc.array(anyValue, { minLength: 1, maxLength: 3 }),
          async (index, names, values) => {
            const write = writes[index % writes.length];
            if (!write) return;
            const body = JSON.stringify(bodyOf(index, names, values));
            const headers = { 'content-type': 'application/json' };
            const reply = await world.client.send(requestWith(write.valid, { body, headers }));
            tally.set(reply.status, (tally.get(reply.status) ?? 0) + 1);
            expect(world.takeScandals()).toEqual([]);
            if (reply.status >= 400) expect(reply.headers['content-type']).toBe('application/problem+json');
          },
        ),
        { numRuns: tries, seed },
      );
      // Both sides of the rules were seen.
      expect(tally.get(422) ?? 0).toBeGreaterThan(tries / 10);
      expect([...tally].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(
        tries / 200,
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
    timeoutMs,
  );

  it(
    `give no answer from the inside in ${readTries} reads with random queries`,
    async () => {
      const operations = distinctOperations(world).filter(
        ({ method, queryParameters }) => method === 'GET' && queryParameters.length > 1,
      );
      const reads = await Promise.all(
        operations.map(async (operation) => ({ operation, valid: await validRequest(world, operation) })),
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.array(fc.tuple(fc.nat(), anyText), { maxLength: 4 }), async (index, pairs) => {
          const read = reads[index % reads.length];
          if (!read) return;
          const names = read.operation.queryParameters.map(({ name }) => name);
          const query = new URLSearchParams(
            pairs.map(([pick, value]): [string, string] => [names[pick % names.length] ?? '', value]),
          );
          const reply = await world.client.send(
            requestWith(read.valid, { path: `${read.valid.path}?${query.toString()}` }),
          );
          expect(world.takeScandals()).toEqual([]);
          if (reply.status >= 400) expect(reply.headers['content-type']).toBe('application/problem+json');
        }),
        { numRuns: readTries, seed },
      );
    },
    timeoutMs,
  );

  it('leave everything readable that they wrote', async () => {
    for (const operation of distinctOperations(world)) {
      if (operation.method !== 'GET' || !operation.id.startsWith('list')) continue;
      const valid = await validRequest(world, operation);
      const reply = await world.client.send(requestWith(valid, {}));
      // What a random body took away, such as a certificate's server names, is not there to be read.
      const isGone = reply.status === 404 && operation.pathParameters.length > 1;
      if (!isGone) expect(reply.status, operation.title).toBe(200);
    }
    expect(world.takeScandals()).toEqual([]);
    for (const line of world.logLines) expect(() => JSON.parse(line)).not.toThrow();
  });
});

function propertyNames(schema: Schema): string[] {
  return Object.keys(schema['properties'] ?? {});
}
