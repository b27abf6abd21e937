import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiKey, basic, consumer, hmac, indexBench, jwt } from './consumer-index.test-support.ts';

describe('the index of consumers', () => {
  it('finds a credential of each type with what it is checked with, and its consumer', async () => {
    const { put, build } = indexBench();
    put(consumer('jo', { username: 'Jo', custom_id: 'c-1', groups: ['gold'] }));
    put(apiKey('k', 'jo', 'the-key', { expires_at: '2999-01-01T00:00:00Z' }));
    put(basic('b', 'jo', 'jo@home'), hmac('h', 'jo', 'signer'), jwt('j', 'jo', 'issuer'));
    put(jwt('p', 'jo', 'keyed', { algorithm: 'EdDSA', secret: undefined, public_key: 'a pem' }));
    const found = await build();
    const identity = { id: 'jo', username: 'Jo', customId: 'c-1', groups: ['gold'] };
    const matchOf = (credentialId: string) => ({ consumer: { ...identity, credentialId } });
    expect(found.findApiKey('the-key')).toEqual({ ...matchOf('k'), expiresAtMs: Date.UTC(2999, 0, 1) });
    expect(found.findBasic('jo@home')).toEqual({ match: matchOf('b'), passwordHash: '$argon2id$v=19$of b' });
    expect(found.findHmac('signer')).toEqual({ match: matchOf('h'), secret: 'of h', algorithms: ['hmac-sha256'] });
    expect(found.findJwt('issuer')).toEqual({ match: matchOf('j'), algorithm: 'HS256', secret: 'of j' });
    expect(found.findJwt('keyed')).toEqual({ match: matchOf('p'), algorithm: 'EdDSA', publicKey: 'a pem' });
    expect(['jo', 'Jo', 'c-1'].map((name) => found.findConsumer(name))).toEqual([identity, identity, identity]);
    expect(found.findConsumer('nobody')).toBeUndefined();
    expect([found.findApiKey('other'), found.findBasic('signer'), found.findHmac('issuer')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('keeps the objects of what a change does not touch, and only those', async () => {
    const { put, drop, build } = indexBench();
    put(consumer('jo'), consumer('mo'), basic('b-jo', 'jo', 'jo'), basic('b-mo', 'mo', 'mo'), jwt('j-mo', 'mo', 'iss'));
    const first = await build();
    put(consumer('jo', { groups: ['new'] }));
    const second = await build();
    expect(second.findBasic('mo')).toBe(first.findBasic('mo'));
    expect(second.findJwt('iss')).toBe(first.findJwt('iss'));
    expect(second.findBasic('jo')?.match.consumer.groups).toEqual(['new']);
    expect(first.findBasic('jo')?.match.consumer.groups).toEqual([]);
    put(basic('b-mo', 'mo', 'mo', { password_hash: '$argon2id$v=19$another' }));
    const third = await build();
    expect(third.findBasic('jo')).toBe(second.findBasic('jo'));
    expect(third.findBasic('mo')?.passwordHash).toBe('$argon2id$v=19$another');
    drop('consumers', 'nobody');
    expect((await build()).findBasic('jo')).toBe(second.findBasic('jo'));
  });

  it('knows who is disabled by every name, and finds none of their credentials, until they are enabled or gone', async () => {
    const { put, drop, build } = indexBench();
    const names = { username: 'Jo', custom_id: 'c-1' };
    put(consumer('jo', names), basic('b', 'jo', 'jo'), consumer('mo', { custom_id: 'Jo' }));
    const before = await build();
    put(consumer('jo', { ...names, enabled: false }));
    const disabled = await build();
    expect(['jo', 'Jo', 'c-1'].map((name) => disabled.findConsumer(name))).toEqual([
      'disabled',
      'disabled',
      'disabled',
    ]);
    expect(disabled.findBasic('jo')).toBeUndefined();
    put(consumer('jo', names));
    expect((await build()).findConsumer('Jo')).toEqual(before.findConsumer('Jo'));
    expect((await build()).findBasic('jo')).toEqual(before.findBasic('jo'));
    drop('consumers', 'jo');
    expect((await build()).findConsumer('Jo')).toMatchObject({ id: 'mo' });
  });

  it.each([
    ['a renamed credential', () => [basic('b', 'jo', 'renamed')]],
    ['a credential of another consumer, who is not there', () => [basic('b', 'gone', 'jo')]],
    ['a credential of another type', () => [hmac('b', 'jo', 'jo')]],
    ['a credential of a type from later on', () => [{ ...basic('b', 'jo', 'jo'), type: 'palm' }]],
  ])('finds nobody under the old name of %s', async (_name, changes) => {
    const { put, build } = indexBench();
    put(consumer('jo'), basic('b', 'jo', 'jo'));
    expect((await build()).findBasic('jo')).toBeDefined();
    put(...changes());
    expect((await build()).findBasic('jo')).toBeUndefined();
  });

  it('follows a name that moves from one credential to another in one change, in either order', async () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const { put, build } = indexBench();
      put(consumer('jo'), basic('a', 'jo', 'one'), basic('b', 'jo', 'two'));
      await build();
      for (const id of order) put(basic(id, 'jo', id === 'a' ? 'two' : 'one'));
      const found = await build();
      expect(['one', 'two'].map((name) => found.findBasic(name)?.match.consumer.credentialId)).toEqual(['b', 'a']);
    }
  });

  it('gives a name that two credentials have to the smaller ID, and to the other once that is gone', async () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const { put, drop, build } = indexBench();
      put(consumer('jo'), consumer('mo'));
      for (const id of order) put(basic(id, id === 'a' ? 'jo' : 'mo', 'shared'));
      expect((await build()).findBasic('shared')?.match.consumer.credentialId).toBe('a');
      drop('consumers', 'jo');
      expect((await build()).findBasic('shared')?.match.consumer.id).toBe('mo');
      put(consumer('jo'));
      expect((await build()).findBasic('shared')?.match.consumer.id).toBe('jo');
      drop('consumer_credentials', 'a');
      expect((await build()).findBasic('shared')?.match.consumer.id).toBe('mo');
      drop('consumer_credentials', 'b');
      expect((await build()).findBasic('shared')).toBeUndefined();
    }
  });

  it('is built in slices between which others run', async () => {
    const { put, build } = indexBench();
    put(consumer('jo'));
    for (let id = 0; id < 50; id += 1) put(apiKey(`k${id}`, 'jo', `key-${id}`));
    let pauses = 0;
    await build({ isOver: true, next: async () => void (pauses += 1) });
    expect(pauses).toBeGreaterThan(50);
  });

  it('finds a key by its digest and not by its text', async () => {
    const { put, build } = indexBench();
    put(consumer('jo'), apiKey('k', 'jo', 'the-key'));
    const found = await build();
    const digests = [hash('sha256', 'the-key'), hash('sha256', 'the-key', 'binary')];
    expect(digests.map((digest) => found.findApiKey(digest))).toEqual([undefined, undefined]);
  });
});
