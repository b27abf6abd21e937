import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { Config } from '../config.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createLog } from '../logging.ts';
import { parseKeyRing, type KeyRing } from './key-ring.ts';
import { rotateSecrets, type Rotation } from './rotate-secrets.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';

const key = (name: string, byte: number): string => `${name}:${Buffer.alloc(32, byte).toString('base64')}`;
const [one, two] = [key('k1', 1), key('k2', 2)];
const place = { family: 'plugins', id: 'p', pointer: '/config/key' };

function ring(keys: string): KeyRing {
  const result = parseKeyRing(keys);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.keyRing;
}

describeOnEachDatabase('rotate-secrets', ({ database, url }) => {
  const boxOf = (keys: string): SecretBox =>
    createSecretBox({ keyRing: ring(keys), database: database(), clock: new FakeClock() });
  const rotate = (keys: string): Promise<Rotation> =>
    rotateSecrets({ databaseUrl: url(), keyRing: ring(keys) } as Config, createLog('silent'));

  it('seals everything under the first key beside a service that runs, after which the old one can go', async () => {
    const running = boxOf(`${one},${two}`);
    const tenants = Array.from({ length: 60 }, (_, at) => `tenant-${at}`);
    const sealed = new Map<string, string>();
    for (const tenant of tenants) sealed.set(tenant, await running.seal(tenant, place, tenant));
    expect(await rotate(`${two},${one}`)).toEqual({
      sentences: ['60 data keys were sealed again under k2.', 'Nothing is left under other keys: they can be dropped.'],
      isDone: true,
    });
    const [after, alone] = [boxOf(`${one},${two}`), boxOf(two)];
    for (const [tenant, text] of sealed) {
      for (const box of [running, after, alone]) expect(await box.open(tenant, place, text)).toBe(tenant);
    }
    expect(await rotate(two)).toMatchObject({
      sentences: [expect.stringMatching(/^0 /), expect.anything()],
      isDone: true,
    });
  });

  it('says what is left under which key, and why', async () => {
    const left = expect.stringMatching(
      /^\d+ left under k2: PORTCULLIS_SECRET_KEYS has no key of that name\.$/,
    ) as unknown;
    expect(await rotate(one)).toMatchObject({ sentences: [expect.anything(), left], isDone: false });
    const other = expect.stringMatching(/^\d+ left under k2: the key of that name /) as unknown;
    expect(await rotate(`${one},${key('k2', 9)}`)).toMatchObject({
      sentences: [expect.anything(), other],
      isDone: false,
    });
  });

  it.each([
    ['is lost', one, 'the key ring has no key named k2'],
    ['is another one', key('k2', 9), 'the key named k2 in the ring is not the one that sealed under that name'],
    ['was renamed', key('main', 2), 'the key that the ring calls main was called k2 when it sealed'],
  ])('leaves no doubt which key %s', async (_name, keys, message) => {
    await expect(boxOf(keys).forTenant('tenant-1')).rejects.toMatchObject({ code: 'secret_wrong_key', message });
  });
});
