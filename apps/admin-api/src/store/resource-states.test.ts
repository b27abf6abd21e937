import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { UnstorableTextError } from '../database/storable-text.ts';
import { createResourceStore } from './create-resource-store.ts';
import { createResourceStates } from './resource-states.ts';
import { item } from './store.test-support.ts';

const store = createResourceStore();
const states = createResourceStates();

describeOnEachDatabase('states beside records', ({ database }) => {
  const make = (tenantId: string) =>
    database().transaction(async (transaction) => {
      expect(await store.insert(transaction, item(tenantId, 'a'))).toEqual({ ok: true });
    });
  const merge = (tenantId: string, fields: Record<string, unknown>) =>
    database().transaction((transaction) => states.merge(transaction, tenantId, 'service', 'a', fields, 1));
  const state = async (tenantId: string) =>
    (await states.getMany(database().read, tenantId, 'service', ['a', 'unknown'])).get('a');

  it('keep what a later write does not name, whatever the fields are called and hold', async () => {
    await make('s1');
    const odd = { 'a.b"c': 'it\'s "odd" \\', '$[0]': [1, null, { x: 'y' }], null_one: null, no: false, big: 2 ** 52 };
    await merge('s1', { at: 1, nested: { a: 1, b: 2 }, ...odd });
    expect(await state('s1')).toEqual({ at: 1, nested: { a: 1, b: 2 }, ...odd });
    await merge('s1', { at: 2, nested: { a: null }, unsaid: undefined, text: 'ü 😀' });
    expect(await state('s1')).toEqual({ ...odd, at: 2, nested: { a: null }, text: 'ü 😀' });
    await merge('s1', {});
    expect(await state('s1')).toMatchObject({ at: 2 });
    await expect(merge('s1', { text: 'a\0b' })).rejects.toThrow(UnstorableTextError);
  });

  it('lose nothing when many write different fields at the same time', async () => {
    await make('s2');
    const names = Array.from({ length: 40 }, (_, index) => `field_${index}`);
    await Promise.all(names.map((name, index) => merge('s2', { [name]: index })));
    expect(await state('s2')).toEqual(Object.fromEntries(names.map((name, index) => [name, index])));
  });
});
