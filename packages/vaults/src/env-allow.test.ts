import { describe, expect, it } from 'vitest';
import { envDriver } from './drivers/env.ts';
import { ENV_ALLOW_LENGTH_MAX, parseEnvAllow } from './env-allow.ts';

describe('parseEnvAllow', () => {
  it.each<[string, Record<string, string[]>]>([
    ['', {}],
    [' ; ', {}],
    ['acme:OPENAI_KEY', { acme: ['OPENAI_KEY'] }],
    ['acme:OPENAI_KEY,JUDGE_KEY;globex:OPENAI_KEY', { acme: ['OPENAI_KEY', 'JUDGE_KEY'], globex: ['OPENAI_KEY'] }],
    [' acme : A , B ; globex : c ; ', { acme: ['A', 'B'], globex: ['c'] }],
  ])('reads %j', (text, expected) => {
    const outcome = parseEnvAllow(text);
    const read = 'allow' in outcome ? [...outcome.allow].map(([tenant, names]) => [tenant, [...names]]) : outcome;
    expect(read).toEqual(Object.entries(expected));
  });

  it.each([
    ['acme', 'must read'],
    ['OPENAI_KEY,JUDGE_KEY', 'must read'],
    [':A', 'must read'],
    ['..:A', 'must read'],
    ['acme:A:B', 'must read'],
    ['acme:', 'names of variables for acme'],
    ['acme:A,,B', 'names of variables for acme'],
    ['acme:A*', 'names of variables for acme'],
    ['acme:1A', 'names of variables for acme'],
    ['acme:A;acme:B', 'acme twice'],
    ['acme:PORTCULLIS_DATA_PLANE_TOKEN', "gateway's own"],
    ['acme:portcullis_secret_keys', "gateway's own"],
    [`acme:${'A'.repeat(ENV_ALLOW_LENGTH_MAX)}`, 'characters'],
  ])('refuses %j and says which rule it breaks', (text, mistake) => {
    expect(parseEnvAllow(text)).toEqual({ mistake: expect.stringContaining(mistake) as unknown });
  });
});

describe('the env driver', () => {
  const variables = new Map([
    ['ACME_TOKEN', 'the-token\n'],
    ['ACME_DB', '{"user":"u","password":"p","port":5432}'],
    ['ACME_EMPTY', ''],
    ['HOME', 'not-for-tenants'],
    ['ACME_LIST', '[1]'],
  ]);
  const read = async (secret: string, key?: string, prefix: string | undefined = 'ACME_') => {
    const allowed = new Set(['ACME_TOKEN', 'ACME_DB', 'ACME_EMPTY', 'ACME_UNSET', 'ACME_LIST']);
    const driver = envDriver(
      { prefix: 'env', driver: 'env', config: { prefix } },
      { env: (name) => variables.get(name), allowed },
    );
    return (await driver.read(secret)).value(key);
  };

  it('reads variables that are listed, whole or a key of an object in JSON', async () => {
    expect([await read('TOKEN'), await read('DB', 'password'), await read('ACME_TOKEN', undefined, '')]).toEqual([
      'the-token',
      'p',
      'the-token',
    ]);
  });

  it.each([
    ['a variable that is set and not listed', 'HOME', undefined, '', 'denied'],
    ['a variable that is neither set nor listed', 'NOTHING', undefined, '', 'denied'],
    ['a listed one without the prefix', 'TOKEN', undefined, '', 'denied'],
    ['a path', 'a/b', undefined, 'ACME_', 'denied'],
    ['a listed one that is not set', 'UNSET', undefined, 'ACME_', 'not_found'],
    ['an empty one', 'EMPTY', undefined, 'ACME_', 'not_found'],
    ['a key that the object does not have', 'DB', 'toString', 'ACME_', 'not_found'],
    ['a number, which JSON may have changed', 'DB', 'port', 'ACME_', 'not_found'],
    ['a key of what is no JSON', 'TOKEN', 'a', 'ACME_', 'not_found'],
    ['a key of a list', 'LIST', '0', 'ACME_', 'not_found'],
  ])('refuses %s', async (_name, secret, key, prefix, code) => {
    const error: unknown = await read(secret, key, prefix).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    expect(String((error as Error).stack)).not.toMatch(/the-token|not-for-tenants|5432/);
  });
});
