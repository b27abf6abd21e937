import { isRedactionMask } from '@portcullis/bundle-diff';
import { randomBytes } from 'node:crypto';
import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { parseKeyRing, type KeyRing } from './key-ring.ts';
import { createSecretBox, SYSTEM_TENANT, type SecretBox } from './secret-box.ts';

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');
const place = { family: 'credential', id: 'c1', pointer: '/config/key' };

function ring(text: string): KeyRing {
  const result = parseKeyRing(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.keyRing;
}

describeOnEachDatabase('the secret box', ({ database }) => {
  const boxWith = (keys: string): SecretBox =>
    createSecretBox({ keyRing: ring(keys), database: database(), clock: new FakeClock() });

  it.each(['', 'short', 'ключ 🔑 '.repeat(1_000)])('opens what it sealed, also after a restart: %#', async (value) => {
    const sealed = await boxWith(`k1:${OLD}`).seal('acme', place, value);
    expect(sealed).not.toContain(value === '' ? '=' : value.slice(0, 5));
    expect(await boxWith(`k1:${OLD}`).open('acme', place, sealed)).toBe(value);
  });

  it('seals the same value differently each time', async () => {
    const secrets = await boxWith(`k1:${OLD}`).forTenant('acme');
    expect(secrets.seal(place, 'value')).not.toBe(secrets.seal(place, 'value'));
  });

  it.each([
    ['another record', { ...place, id: 'c2' }],
    ['another family', { ...place, family: 'credentials' }],
    ['another field', { ...place, pointer: '/config/other' }],
    ['a place whose parts join to the same text', { family: 'credentialc', id: '1', pointer: '/config/key' }],
  ])('refuses a sealed value that was moved to %s', async (_where, elsewhere) => {
    const box = boxWith(`k1:${OLD}`);
    const sealed = await box.seal('acme', place, 'value');
    await expect(box.open('acme', elsewhere, sealed)).rejects.toMatchObject({ code: 'secret_tampered' });
  });

  it('refuses a value of another tenant, of which it says that the key is wrong', async () => {
    const box = boxWith(`k1:${OLD}`);
    await box.seal('globex', place, 'their own');
    const sealed = await box.seal('acme', place, 'value');
    await expect(box.open('globex', place, sealed)).rejects.toMatchObject({ code: 'secret_wrong_key' });
  });

  it('notices every changed character', async () => {
    const secrets = await boxWith(`k1:${OLD}`).forTenant('acme');
    const sealed = secrets.seal(place, 'value');
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expect(() => secrets.open(place, changed)).toThrow(/./);
    }
    for (const text of ['', 'value', sealed.slice(0, -8), `${sealed}AAAA`, `${sealed}=`]) {
      expect(() => secrets.open(place, text)).toThrow(expect.objectContaining({ name: 'SecretError' }));
    }
  });

  it('opens old values after a rotation while the ring has the old key, and names the missing key afterwards', async () => {
    const sealed = await boxWith(`old:${OLD}`).seal('rotated', place, 'value');
    expect(await boxWith(`new:${NEW},old:${OLD}`).open('rotated', place, sealed)).toBe('value');
    const without = boxWith(`new:${NEW}`).open('rotated', place, sealed);
    await expect(without).rejects.toMatchObject({ code: 'secret_wrong_key', message: expect.stringContaining('old') });
    const sameName = boxWith(`old:${NEW}`).open('rotated', place, sealed);
    await expect(sameName).rejects.toMatchObject({ code: 'secret_wrong_key' });
  });

  it('says so when the data key of a tenant is gone', async () => {
    const lost = boxWith(`k1:${OLD}`).open('nobody', place, 'pc1.tenant.00000000.AAAA');
    await expect(lost).rejects.toMatchObject({ code: 'secret_tenant_key_lost' });
  });

  it('gives all that come first at once the same key, in transactions of their own and in open ones', async () => {
    const boxes = Array.from({ length: 6 }, () => boxWith(`k1:${OLD}`));
    const masks = await Promise.all(
      boxes.map((box, index) =>
        index % 2 === 0
          ? box.forTenant('raced').then((secrets) => secrets.maskOf('value'))
          : database().transaction(async (transaction) => (await box.forTenant('raced', transaction)).maskOf('value')),
      ),
    );
    expect(new Set(masks).size).toBe(1);
  });

  it('keeps no key of a transaction that was rolled back, and the next use makes another', async () => {
    const box = boxWith(`k1:${OLD}`);
    let undone = '';
    const attempt = database().transaction(async (transaction) => {
      undone = await box.seal('undone', place, 'value', transaction);
      expect(await box.open('undone', place, undone, transaction)).toBe('value');
      throw new Error('rolled back');
    });
    await expect(attempt).rejects.toThrow('rolled back');
    const sealed = await box.seal('undone', place, 'value');
    expect(await boxWith(`k1:${OLD}`).open('undone', place, sealed)).toBe('value');
    await expect(box.open('undone', place, undone)).rejects.toMatchObject({ code: 'secret_wrong_key' });
  });

  it('shows equality within a tenant only, and nothing of the value', async () => {
    const maskOf = async (tenantId: string, value: string): Promise<string> =>
      (await boxWith(`k1:${OLD}`).forTenant(tenantId)).maskOf(value);
    const mask = await maskOf('acme', 'value');
    expect(isRedactionMask(mask)).toBe(true);
    expect(await maskOf('acme', 'value')).toBe(mask);
    expect(await maskOf('acme', 'other')).not.toBe(mask);
    expect(await maskOf('mask-other', 'value')).not.toBe(mask);
    expect(await maskOf(SYSTEM_TENANT, 'value')).not.toBe(mask);
  });

  it('keeps neither the key ring nor data keys readable in the database', async () => {
    await boxWith(`k1:${OLD}`).seal('acme', place, 'value');
    const rows = await database().read.selectFrom('tenant_keys').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.sealed_key).toMatch(/^pc1\.[a-z0-9]+\.[0-9a-f]{8}\.[\w-]{80}$/);
  });
});

describe('the key ring', () => {
  it('seals with the first key and opens with all', () => {
    const keys = ring(`a:${OLD}, b:${NEW}`);
    expect(keys.sealingKeyId).toBe('a');
    expect(keys.get('b')?.export()).toEqual(Buffer.from(NEW, 'base64'));
    expect(keys.get('c')).toBeUndefined();
  });

  it.each([
    ['', 1],
    [OLD, 1],
    [`a:${OLD},b`, 2],
    [`a:${OLD},a:${NEW}`, 2],
    [`a:${OLD},b b:${NEW}`, 2],
    [`a:${OLD},b:${NEW.slice(0, 20)}`, 2],
    [`a:${OLD},b:${NEW}${NEW}`, 2],
    [`a:${OLD},b:***`, 2],
    [Array.from({ length: 17 }, (_, index) => `k${index}:${OLD}`).join(','), 17],
  ])('names the position of what is wrong and repeats nothing of it: %#', (text, position) => {
    const result = parseKeyRing(text);
    expect(result).toMatchObject({ ok: false, problems: [{ position }] });
    expect(JSON.stringify(result)).not.toContain(OLD.slice(0, 8));
    expect(JSON.stringify(result)).not.toContain(NEW.slice(0, 8));
  });
});
