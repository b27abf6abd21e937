import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { driverNames, drivers, findDriver } from './drivers.ts';
import { driverCases } from './testing/driver-cases.test-support.ts';
import { failureOf, stillClock } from './testing/sync.test-support.ts';

it('there are five, found by their names and by nothing else', () => {
  expect(driverNames).toEqual([
    'cloud_api_gateway',
    'api_registry',
    'it_service_management',
    'log_analytics',
    'incident_alerting',
  ]);
  for (const name of driverNames) expect(findDriver(name)).toBe(drivers[name]);
  for (const name of ['', 'constructor', '__proto__', 'toString', 'LOG_ANALYTICS'])
    expect(findDriver(name)).toBeUndefined();
});

it('consoles offer one of them to everybody, and three on request', () => {
  expect(Object.fromEntries(Object.values(drivers).map(({ name, form }) => [name, form.setup]))).toEqual({
    cloud_api_gateway: 'none',
    api_registry: 'self_service',
    it_service_management: 'by_request',
    log_analytics: 'by_request',
    incident_alerting: 'by_request',
  });
});

it('each gives its times, as the specification has them', () => {
  const times = Object.values(drivers).map(({ limits: { timeoutMs, connectTimeoutMs } }) => [
    timeoutMs,
    connectTimeoutMs,
  ]);
  expect(times).toEqual([
    [30_000, undefined],
    [15_000, undefined],
    [10_000, undefined],
    [5000, 2000],
    [10_000, undefined],
  ]);
});

describe.each(driverCases)('$name', ({ name, driver, config, secrets }) => {
  const schemaOf = (schema: typeof driver.configSchema) =>
    toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode: 'input',
      errorMode: 'throw',
      ignoreActions: ['check', 'raw_check'],
    });

  it('has schemas that JSON Schema expresses, whose fields all say what they are', () => {
    const given = [schemaOf(driver.configSchema), schemaOf(driver.secretsSchema)];
    for (const schema of given) {
      expect(schema.additionalProperties).toBe(false);
      for (const property of Object.values(schema.properties ?? {}))
        expect(property).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    }
  });

  it('marks every secret, and nothing else', () => {
    const marked = (schema: typeof driver.configSchema) =>
      Object.entries(schemaOf(schema).properties ?? {}).filter(
        ([, property]) => (property as { 'x-secret'?: unknown })['x-secret'] === true,
      );
    expect(marked(driver.configSchema)).toEqual([]);
    expect(marked(driver.secretsSchema)).toHaveLength(
      Object.keys(schemaOf(driver.secretsSchema).properties ?? {}).length,
    );
  });

  it('has a form that asks for what the schemas have, and cannot be changed', () => {
    const names = (schema: typeof driver.configSchema) => Object.keys(schemaOf(schema).properties ?? {});
    const asked = driver.form.fields.map((field) => `${field.in}.${field.name}`);
    expect(asked).toEqual([
      ...names(driver.configSchema).map((field) => `config.${field}`),
      ...names(driver.secretsSchema).map((field) => `secrets.${field}`),
    ]);
    const required = driver.form.fields.filter((field) => field.required).map((field) => field.name);
    expect(required).toEqual([
      ...(schemaOf(driver.configSchema).required ?? []),
      ...(schemaOf(driver.secretsSchema).required ?? []),
    ]);
    expect(() => Object.assign(driver.form.fields[0] ?? {}, { label: 'other' })).toThrow(TypeError);
  });

  it('knows which fields decide where the secrets go', async () => {
    const calls = async (given: object): Promise<string[]> => {
      const urls: string[] = [];
      const fetch = async (url: string) => {
        urls.push(new URL(url).host);
        throw new Error('not called');
      };
      await failureOf(driver.sync({ config: given, secrets, fetch, clock: stillClock() }));
      return urls;
    };
    const { addressFields } = driver;
    expect(addressFields.length).toBeGreaterThan(0);
    const addresses = addressFields.filter((field) => field !== 'region');
    for (const field of addresses)
      expect(await calls({ ...config('https://a.test'), [field]: 'https://b.test' })).toEqual(['b.test']);
    const others = driver.form.fields.filter((field) => field.in === 'config' && !addressFields.includes(field.name));
    for (const field of others) {
      const value = field.input === 'number' ? 7 : 'something';
      expect(await calls({ ...config('https://a.test'), [field.name]: value })).toEqual(['a.test']);
    }
  });

  it.each([
    'ftp://a.test',
    'a.test',
    '//a.test',
    'https://',
    'https://user@a.test',
    'https://user:secret@a.test',
    'https://@a.test',
    'https://a.test/?to=b',
    'https://a.test/#b',
    'https://a.test\\@b.test',
    'https://a.test/\n',
    ' https://a.test',
    'https://a b.test',
    'https:a.test',
    `https://a.test/${'x'.repeat(2048)}`,
    7,
    null,
  ])('calls nobody at %j, and does not repeat it', async (address) => {
    const calls: string[] = [];
    const fetch = async (url: string) => {
      calls.push(url);
      throw new Error('called');
    };
    const [field = ''] = driver.addressFields.filter((of) => of !== 'region');
    const input = { config: { ...config('https://a.test'), [field]: address }, secrets };
    const error = await failureOf(driver.sync({ ...input, fetch, clock: stillClock() }));
    expect([error.code, error.issues.map(({ pointer }) => pointer), calls]).toEqual([
      'invalid_input',
      [`/config/${field}`],
      [],
    ]);
    expect(driver.check(input)).toEqual(error.issues);
    expect(JSON.stringify(error.issues)).not.toContain('user:secret');
  });

  it.each(Object.keys(secrets))('takes no %s that breaks a header, and does not repeat it', (field) => {
    const canary = 'canary\r\nx-evil: 1';
    const issues = driver.check({ config: config('https://a.test'), secrets: { ...secrets, [field]: canary } });
    expect(issues.map(({ pointer }) => pointer)).toEqual([`/secrets/${field}`]);
    expect(JSON.stringify(issues)).not.toContain('canary');
  });

  it('names every unknown field, also those that every object has', () => {
    const unknown = JSON.parse('{"a/b":1,"constructor":2,"__proto__":3,"~":4}') as object;
    const given = { config: merged(config('https://a.test'), unknown), secrets: merged(secrets, unknown) };
    const pointers = driver.check(given).map(({ pointer, message }) => `${pointer} ${message}`);
    const wanted = ['a~1b', 'constructor', '__proto__', '~0'].map((token) => `${token} is no field of this driver`);
    expect(pointers.toSorted()).toEqual(
      ['config', 'secrets'].flatMap((place) => wanted.map((text) => `/${place}/${text}`)).toSorted(),
    );
  });

  it.each([[null], [undefined], [[]], ['text'], [7]])('takes no %j in place of an object', (value) => {
    const pointers = driver.check({ config: value, secrets: value }).map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(['/config', '/secrets']));
    expect(name).toBe(driver.name);
  });
});

/** With own fields only, as JSON gives them. */
function merged(left: object, right: object): unknown {
  return JSON.parse(`${JSON.stringify(left).slice(0, -1)},${JSON.stringify(right).slice(1)}`);
}
