import { describe, expect, it } from 'vitest';
import { apiKey, basic, hmac, jwt } from './consumer-index.test-support.ts';
import { textOf, manager } from './configuration-manager.test-support.ts';
import { credentialMistakes } from './delivered-credentials.ts';
import type { CredentialRecord } from './records.ts';

const canary = 'canary-of-a-secret';

describe('a credential with a mistake', () => {
  it.each<[string, CredentialRecord, readonly string[]]>([
    ['an API key without its digest', apiKey('c', 'jo', '', { key_hash: undefined }), ['key_hash']],
    ['an API key with the key itself', apiKey('c', 'jo', '', { key_hash: canary }), ['key_hash']],
    ['a basic credential without a user name', basic('c', 'jo', '', { username: undefined }), ['username']],
    ['a basic credential with its password', basic('c', 'jo', 'u', { password_hash: canary }), ['password_hash']],
    ['an HMAC credential without a secret', hmac('c', 'jo', 'k', { secret: undefined }), ['secret']],
    ['an HMAC credential without algorithms', hmac('c', 'jo', 'k', { algorithms: [], secret: canary }), ['algorithms']],
    ['an algorithm that nobody knows', jwt('c', 'jo', 'k', { algorithm: 'none', secret: canary }), ['algorithm']],
    ['a shared secret that is missing', jwt('c', 'jo', 'k', { secret: undefined }), ['secret']],
    ['a public key for a shared secret', jwt('c', 'jo', 'k', { public_key: canary }), ['public_key']],
    [
      'a shared secret for a public key',
      jwt('c', 'jo', 'k', { algorithm: 'RS256', secret: canary }),
      ['public_key', 'secret'],
    ],
  ])('is named with its place and without its value: %s', (_name, record, fields) => {
    const mistakes = credentialMistakes(record);
    expect(mistakes.map(({ path }) => path.join('/'))).toEqual(fields);
    expect(JSON.stringify(mistakes)).not.toContain(canary);
  });

  it('of a type that the gateway does not know is none', () => {
    expect(credentialMistakes({ ...basic('c', 'jo', 'u'), type: 'palm', username: 1 })).toEqual([]);
  });

  it('refuses the configuration, which would else let requests through that it should stop', async () => {
    const { take, acks, live, stop } = manager();
    const empty = {
      services: new Map(),
      routes: new Map(),
      upstreams: new Map(),
      targets: new Map(),
      plugins: new Map(),
    };
    const record = basic('c/1', 'jo', 'jo', { password_hash: canary });
    const { text } = textOf(1, { ...empty, consumer_credentials: new Map([['c/1', record]]) } as typeof empty);
    await take(text);
    expect(acks).toMatchObject([
      {
        status: 'rejected',
        errors: [
          {
            pointer: '/resources/consumer_credentials/c~11/password_hash',
            message: 'is not what gateways get for a basic credential',
          },
        ],
      },
    ]);
    expect(live.current).toBeUndefined();
    stop();
  });
});
