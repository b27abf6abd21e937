import { lookup } from 'node:dns/promises';
import { eventually } from '@portcullis/testkit';
import { expect, it, vi } from 'vitest';
import { systemLookup, systemLookupsMax } from './system-lookup.ts';

vi.mock('node:dns/promises', () => ({ lookup: vi.fn() }));

it('asks the system for a few names at a time, and for the next one when one is answered or not known', async () => {
  const open: PromiseWithResolvers<unknown>[] = [];
  vi.mocked(lookup).mockImplementation((): never => {
    open.push(Promise.withResolvers<unknown>());
    return open.at(-1)?.promise as never;
  });
  const names = Array.from({ length: systemLookupsMax + 2 }, (_, index) => `name${index}.test`);
  const answers = names.map((name) => systemLookup(name).catch((error: unknown) => error));
  expect(open).toHaveLength(systemLookupsMax);
  open[0]?.reject(new Error('no such name'));
  expect(await answers[0]).toMatchObject({ message: 'no such name' });
  await eventually(() => expect(open).toHaveLength(systemLookupsMax + 1));
  for (let at = 1; at < names.length; at += 1) {
    await eventually(() => expect(open.length).toBeGreaterThan(at));
    open[at]?.resolve([{ address: `192.0.2.${at}`, family: 4 }]);
    expect(await answers[at]).toEqual([`192.0.2.${at}`]);
  }
});
