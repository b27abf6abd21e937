import { privateSpellings } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { pluginCatalogue } from './index.ts';
import { callOnce, listenAt, listenEverywhere, notedEgress } from './testing/address-calls.ts';
import { addressLikeFields, calledFields, uncalledFields, type CalledField } from './testing/address-fields.ts';

it('every field that looks like an address is one that a test brings to be called, or is listed as none', () => {
  const found = [...pluginCatalogue].flatMap(([name, { jsonSchema }]) =>
    [...new Set(addressLikeFields(jsonSchema()))].map((field) => `${name} ${field}`),
  );
  const known = [...calledFields.map(({ plugin, field }) => `${plugin} ${field}`), ...uncalledFields.keys()];
  expect(found.toSorted()).toEqual(known.toSorted());
});

/** Stands for the public internet, which tests have none of: the operator lists it. */
const open = '127.0.0.2';
/** What must never be called. */
const closed = '127.0.0.1';
const schemeOf = ({ isTlsOnly }: CalledField): string => (isTlsOnly === true ? 'https' : 'http');

describe.each(calledFields)('$plugin $field', (of) => {
  it('leads to no private address, however it is spelt', { timeout: 120_000 }, async () => {
    await using listener = await listenEverywhere(of.isDatagram === true);
    const way = notedEgress({ lookup: async () => ['127.0.0.1', '::1', '::ffff:127.0.0.1'] });
    const { port } = listener;
    const configs = privateSpellings(port)
      .filter(({ host }) => of.takes !== 'host' || host !== undefined)
      .map(({ url, host = '' }, index) =>
        of.config(of.isTlsOnly === true || index % 2 === 1 ? url.replace(/^http:/i, 'https:') : url, host, port),
      );
    // All at once: sinks wait before they give up.
    const taken = await Promise.all(configs.map((config) => callOnce(of, config, way)));
    await way.close();
    expect(Object.keys(way.called.outcomes)).toEqual(['refused']);
    expect([taken.includes(true), await listener.arrived()]).toEqual([true, 0]);
  });

  it('is called where the operator lists it, so that the test before is one', async () => {
    await using listener = await listenEverywhere(of.isDatagram === true);
    const way = notedEgress({ lookup: async () => ['127.0.0.1'], allowed: [{ address: '127.0.0.1' }] });
    const { port } = listener;
    expect(await callOnce(of, of.config(`${schemeOf(of)}://127.0.0.1:${port}/`, '127.0.0.1', port), way)).toBe(true);
    await way.close();
    expect(await listener.arrived()).toBeGreaterThan(0);
  });

  it('leads to no private address when its name changes its mind', async () => {
    await using listener = await listenAt([open, closed], of.isDatagram === true);
    const answers = [[open], [closed], [closed, open], [open, closed]];
    let asked = 0;
    const way = notedEgress({
      lookup: async () => answers[asked++ % answers.length] ?? [],
      allowed: [{ address: open }],
    });
    const { port } = listener;
    // Each by a name of its own: who asks for one name at the same time gets one answer.
    const names = Array.from({ length: 2 * answers.length }, (_, index) => `name${index}.test`);
    const configs = names.map((name) => of.config(`${schemeOf(of)}://${name}:${port}/`, name, port));
    await Promise.all(configs.map((config) => callOnce(of, config, way)));
    await way.close();
    expect(way.called.outcomes['refused']).toBeGreaterThan(0);
    expect(await listener.arrivedAt(open)).toBeGreaterThan(0);
    expect(await listener.arrivedAt(closed)).toBe(0);
  });
});

const isRedirectable = ({ plugin, takes, isTlsOnly }: CalledField): boolean =>
  takes !== 'host' && isTlsOnly !== true && plugin !== 'ldap_auth';

describe.each(calledFields.filter(isRedirectable))('$plugin $field', (of) => {
  it.each([301, 302, 303, 307, 308])('is not led to a private address by a redirect with %i', async (status) => {
    await using listener = await listenAt([open, closed], false, ({ socket }, response) => {
      const { localPort } = socket;
      response.writeHead(status, { location: `http://${closed}:${localPort}/`, connection: 'close' }).end();
    });
    const way = notedEgress({ lookup: async () => [open], allowed: [{ address: open }] });
    await callOnce(of, of.config(`http://name.test:${listener.port}/`, 'name.test', listener.port), way);
    await way.close();
    expect(await listener.arrivedAt(open)).toBeGreaterThan(0);
    expect(await listener.arrivedAt(closed)).toBe(0);
  });
});
