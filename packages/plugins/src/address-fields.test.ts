import { privateSpellings } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { pluginCatalogue } from './index.ts';
import { callOnce, listenEverywhere, notedEgress } from './testing/address-calls.ts';
import { addressLikeFields, calledFields, openFields, uncalledFields } from './testing/address-fields.ts';

it('every field that looks like an address is one that a test brings to be called, or is listed as none', () => {
  const found = [...pluginCatalogue].flatMap(([name, { jsonSchema }]) =>
    [...new Set(addressLikeFields(jsonSchema()))].map((field) => `${name} ${field}`),
  );
  const known = [
    ...calledFields.map(({ plugin, field }) => `${plugin} ${field}`),
    ...uncalledFields.keys(),
    ...openFields,
  ];
  expect(found.toSorted()).toEqual(known.toSorted());
});

/** Sinks wait before they give up. */
const CALLS_AT_ONCE = 64;

describe.each(calledFields)('$plugin $field', (of) => {
  it('leads to no private address, however it is spelt', { timeout: 120_000 }, async () => {
    await using listener = await listenEverywhere(of.isDatagram === true);
    const way = notedEgress({ lookup: async () => ['127.0.0.1', '::1', '::ffff:127.0.0.1'] });
    const { port } = listener;
    let taken = 0;
    const configs = privateSpellings(port)
      .filter(({ host }) => of.takes !== 'host' || host !== undefined)
      .map(({ url, host = '' }, index) =>
        of.config(of.isTlsOnly === true || index % 2 === 1 ? url.replace(/^http:/i, 'https:') : url, host, port),
      )
      .values();
    const work = async (): Promise<void> => {
      for (const config of configs) if (await callOnce(of, config, way)) taken += 1;
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
    await way.close();
    expect(Object.keys(way.called.outcomes)).toEqual(['refused']);
    expect([taken > 0, await listener.arrived()]).toEqual([true, 0]);
  });

  it('is called where the operator lists it, so that the test before is one', async () => {
    await using listener = await listenEverywhere(of.isDatagram === true);
    const way = notedEgress({ lookup: async () => ['127.0.0.1'], allowed: [{ address: '127.0.0.1' }] });
    const { port } = listener;
    const scheme = of.isTlsOnly === true ? 'https' : 'http';
    expect(await callOnce(of, of.config(`${scheme}://127.0.0.1:${port}/`, '127.0.0.1', port), way)).toBe(true);
    await way.close();
    expect(await listener.arrived()).toBeGreaterThan(0);
  });
});
