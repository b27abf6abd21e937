import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineDriver, type DriverDefinition } from './define-driver.ts';
import { IntegrationError } from './integration-error.ts';
import { fakeAlerting } from './testing/fake-alerting.ts';
import { startFakeSystem } from './testing/fake-system.ts';
import { saying } from './testing/faults.ts';
import { everythingOf, failureOf, realWorld, stillClock } from './testing/sync.test-support.ts';

const secret = v.pipe(v.string(), v.title('Key'), v.metadata({ 'x-secret': true }));
const key = 'canary+of/the key=';

function define(more: Partial<DriverDefinition<{ url: string }, { key: string }, object, object>>) {
  return defineDriver({
    name: 'of_your_own',
    title: 'Of your own',
    description: 'Reads something',
    setup: 'self_service',
    configSchema: v.strictObject({
      url: v.pipe(v.string(), v.title('Address'), v.description('Where'), v.metadata({ 'x-address': true })),
    }),
    secretsSchema: v.strictObject({ key: secret }),
    limits: { timeoutMs: 1000, responseBytesMax: 1000 },
    known: () => ({ provider: 'own' }),
    read: async ({ config, ask }) => await ask({ request: 'all', url: config.url, headers: {} }),
    ...more,
  });
}

describe('a driver of your own', () => {
  it('is checked when it is made', () => {
    const mistakes: [string, () => unknown][] = [
      ['in snake_case', () => define({ name: 'OfYourOwn' })],
      [
        'not marked with x-secret',
        () => define({ secretsSchema: v.strictObject({ key: v.pipe(v.string(), v.title('K')) }) }),
      ],
      ['has no title', () => define({ configSchema: v.strictObject({ url: v.string() }) })],
      ['strict object', () => define({ configSchema: v.object({ url: v.pipe(v.string(), v.title('U')) }) })],
    ];
    for (const [message, make] of mistakes) expect(make).toThrow(message);
  });

  it('has a form and knows its addresses', () => {
    const { form, addressFields, variables } = define({ variables: ['OWN'] });
    expect([addressFields, variables, form]).toEqual([
      ['url'],
      ['OWN'],
      {
        setup: 'self_service',
        fields: [
          { name: 'url', in: 'config', label: 'Address', help: 'Where', input: 'text', required: true },
          { name: 'key', in: 'secrets', label: 'Key', help: '', input: 'text', required: true },
        ],
        alternatives: [],
      },
    ]);
  });

  it('asks with the headers of every driver, and of its own', async () => {
    await using system = await startFakeSystem(fakeAlerting({ apiKey: 'none' }));
    const driver = define({
      read: async ({ config, ask }) => await ask({ request: 'all', url: config.url, headers: { 'x-own': 'here' } }),
    });
    await failureOf(driver.sync({ config: { url: system.url }, secrets: { key }, ...realWorld() }));
    expect(system.requests.map(({ headers }) => headers)).toMatchObject([
      { accept: 'application/json', 'accept-encoding': 'identity', 'x-own': 'here' },
    ]);
  });

  it('sees the variables that it names, and no others', async () => {
    const seen: unknown[] = [];
    const driver = define({
      variables: ['OWN', 'EMPTY', 'toString'],
      read: async ({ variable }) => {
        seen.push(...['OWN', 'EMPTY', 'HOME', 'toString'].map(variable));
        return {};
      },
    });
    const environment = { OWN: 'here', EMPTY: '', HOME: 'not for drivers' };
    await driver.sync({ config: { url: 'https://a.test' }, secrets: { key }, ...realWorld(), environment });
    expect(seen).toEqual(['here', undefined, undefined, undefined]);
  });

  it('tells no secret, in whatever spelling and place', async () => {
    const spellings = [
      key,
      Buffer.from(key).toString('base64'),
      Buffer.from(key).toString('base64url'),
      encodeURIComponent(key),
    ];
    const metadata = {
      list: spellings,
      deep: { of: [{ text: `a ${spellings.join(' and ')} b` }] },
      count: 1,
      none: null,
    };
    const config = { url: 'https://a.test' };
    const told = await define({ read: async () => metadata }).sync({ config, secrets: { key }, ...realWorld() });
    expect(told).toEqual({
      list: Array.from({ length: 4 }, () => '[redacted]'),
      deep: { of: [{ text: `a ${Array.from({ length: 4 }, () => '[redacted]').join(' and ')} b` }] },
      count: 1,
      none: null,
    });
    const careless = define({
      known: ({ secrets }) => ({ provider: secrets.key }),
      read: async ({ secrets }) => {
        throw new IntegrationError('rejected', `no ${secrets.key}`, { request_id: secrets.key });
      },
    });
    const error = await failureOf(careless.sync({ config, secrets: { key }, ...realWorld() }));
    expect(everythingOf(error)).not.toContain('canary');
    expect(error.message).toBe('no [redacted]');
  });

  it('keeps texts without the secrets, also where they are cut', async () => {
    const echoes = [250, 255, 256, 240].map((at) => `${'x'.repeat(at)}${key} and more ${'y'.repeat(300)}`);
    const body = { echoes, short: ['pw', 'a pw of many'], [key]: { deep: `Bearer ${key}` } };
    await using system = await startFakeSystem(() => ({ status: 200, body }));
    const driver = define({
      limits: { timeoutMs: 1000, responseBytesMax: 10_000 },
      secretsSchema: v.strictObject({ key: secret, short: v.optional(secret) }),
      read: async ({ config, ask, text }) => {
        const { value } = await ask({ request: 'all', url: config.url, headers: {} });
        const said = value as typeof body;
        return { echoes: said.echoes.map(text), short: said.short.map(text), all: { [key]: said[key] } };
      },
    });
    const secrets = { key, short: 'pw' };
    const told = await driver.sync({ config: { url: system.url }, secrets, ...realWorld() });
    expect(told).toEqual({
      echoes: [`${'x'.repeat(250)}[redac`, `${'x'.repeat(255)}[`, 'x'.repeat(256), `${'x'.repeat(240)}[redacted]`],
      // What is short stands in other texts by chance.
      short: ['[redacted]', 'a pw of many'],
      all: { '[redacted]': { deep: 'Bearer [redacted]' } },
    });
  });

  it('takes no answer of more values than it has leave for, in one answer or in all together', async () => {
    const limits = { timeoutMs: 1000, responseBytesMax: 1_000_000, valuesMax: 1000 };
    const of = (values: number): string => `[${'0,'.repeat(values - 2)}0]`;
    await using system = await startFakeSystem(() => ({ status: 200 }));
    const input = { config: { url: system.url }, secrets: { key }, ...realWorld() };
    const asking = (times: number) =>
      define({
        limits,
        read: async ({ config, ask }) => {
          for (let time = 0; time < times; time += 1) await ask({ request: 'all', url: config.url, headers: {} });
          return {};
        },
      });
    system.fault = saying(of(1000));
    expect(await asking(2).sync(input)).toEqual({});
    expect(await failureOf(asking(3).sync(input))).toMatchObject({ code: 'too_large' });
    for (const text of [of(1001), '['.repeat(400_000)]) {
      system.fault = saying(text);
      const { code, message } = await failureOf(asking(1).sync(input));
      expect([code, message]).toEqual(['too_large', 'the answer has more than 1000 values']);
    }
  });

  it('does not repeat what its own mistakes say', async () => {
    const driver = define({
      read: async ({ secrets }) => {
        throw new TypeError(`cannot read ${secrets.key.slice(0, 6)}`);
      },
    });
    const error = await failureOf(driver.sync({ config: { url: 'https://a.test' }, secrets: { key }, ...realWorld() }));
    expect([error.code, error.message, error.metadata, error.cause]).toEqual([
      'unexpected_answer',
      'the answer could not be read',
      { provider: 'own' },
      undefined,
    ]);
  });

  it('is ended by its time also where it waits for something else, and leaves nothing behind', async () => {
    const begun = Promise.withResolvers<void>();
    const driver = define({
      read: async () => {
        begun.resolve();
        return await new Promise<object>(() => undefined);
      },
    });
    const clock = stillClock();
    const sync = failureOf(driver.sync({ config: { url: 'https://a.test' }, secrets: { key }, fetch, clock }));
    await begun.promise;
    clock.advance(1000);
    expect([(await sync).code, clock.pendingTimers]).toEqual(['timeout', 0]);
  });

  it('takes a body that just fits, byte by byte', async () => {
    const text = JSON.stringify('x'.repeat(998));
    await using system = await startFakeSystem(() => ({ status: 200 }));
    system.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.own+json; charset=utf-8' });
      for (const byte of text) response.write(byte);
      response.end();
    };
    const input = { config: { url: system.url }, secrets: { key } };
    expect(await define({}).sync({ ...input, ...realWorld() })).toEqual({ status: 200, value: 'x'.repeat(998) });
    system.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(text);
      response.end(' ');
    };
    expect((await failureOf(define({}).sync({ ...input, ...realWorld() }))).code).toBe('too_large');
  });
});
