import { existsSync } from 'node:fs';
import { FakeClock, temporaryFolder } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createLog } from '../logging.ts';
import { parseKeyRing, type KeyRing } from './key-ring.ts';
import { rotateSecrets, type Rotation } from './rotate-secrets.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';

const key = (name: string, byte: number): string => `${name}:${Buffer.alloc(32, byte).toString('base64')}`;
const [one, two] = [key('k1', 1), key('k2', 2)];

function ring(keys: string): KeyRing {
  const result = parseKeyRing(keys);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.keyRing;
}

const rotate = (databaseUrl: string, keys: string): Promise<Rotation> =>
  rotateSecrets({ databaseUrl, keyRing: ring(keys) }, createLog('silent'), async () => undefined);

describeOnEachDatabase('rotate-secrets', ({ database, url, fresh }) => {
  const boxOf = (keys: string): SecretBox =>
    createSecretBox({ keyRing: ring(keys), database: database(), clock: new FakeClock() });

  it('makes and changes no database, and seals nothing again where there is nothing', async () => {
    await expect(rotate(url(), one)).rejects.toThrow('holds no data key');
    const empty = await fresh();
    await expect(rotate(empty.url, one)).rejects.toThrow(/there is no database at|holds no tables of Portcullis/);
    await empty.remove();
    await using folder = await temporaryFolder();
    const typo = folder.join('typo.db');
    await expect(rotate(`sqlite:${typo}`, one)).rejects.toThrow(`there is no database at ${typo}`);
    expect(existsSync(typo)).toBe(false);
  });

  it('puts new data keys under the first key, after which the old one can go', async () => {
    for (let at = 0; at < 120; at += 1) await boxOf(`${one},${two}`).forTenant(`tenant-${at}`);
    const { sentences, isDone } = await rotate(url(), `${two},${one}`);
    expect(isDone).toBe(true);
    expect(sentences[0]).toBe('120 new data keys, sealed under k2; 0 places were sealed again under them.');
    expect(sentences[1]).toMatch(
      /^Nothing is left under other keys than k2\. Services that still run with another first key/,
    );
    await boxOf(two).forTenant('tenant-7');
    await expect(boxOf(one).forTenant('tenant-7')).rejects.toMatchObject({ code: 'secret_wrong_key' });
  });

  it.each([
    ['is lost', one, 'the key ring has no key named k2'],
    ['is another one', key('k2', 9), 'the key named k2 in the ring is not the one that sealed under that name'],
    ['was renamed', key('main', 2), 'the key that the ring calls main was called k2 when it sealed'],
  ])('gives no all-clear, and leaves no doubt which key %s', async (_name, keys, message) => {
    await expect(boxOf(keys).forTenant('tenant-1')).rejects.toMatchObject({ code: 'secret_wrong_key', message });
    const { sentences, isDone } = await rotate(url(), keys);
    expect(isDone).toBe(false);
    expect(sentences[1]).toBe(`Data keys that do not open: 120, because ${message}.`);
    expect(sentences[2]).toMatch(/^Not everything is sealed under .* drop no key/);
    await boxOf(two).forTenant('tenant-1');
  });
});
