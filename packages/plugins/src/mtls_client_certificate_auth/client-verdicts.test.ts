import { FakeClock } from '@portcullis/testkit';
import { makeAuthority, type MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it, vi } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { ClientVerdicts, WAITING_MAX, type Verdict } from './client-verdicts.ts';
import type { Config } from './config.ts';
import { mtlsClientCertificateAuth } from './index.ts';
import { clientBy, intermediate, present, root, statusOf, stranger } from './made-chains.test-support.ts';
import type { PresentedCertificate } from './presented-certificate.ts';
import { Turns } from './turns.ts';

const START_MS = Date.UTC(2026, 0, 1);

function verdictsOf(more: Partial<Config> = {}) {
  const clock = new FakeClock();
  const config: Config = {
    trusted_ca_pems: [root.pem],
    require_verified_header: false,
    verify_header_name: 'X-V',
    verify_header_value: 'yes',
    header_name: 'X-C',
    hide_certificate_header: false,
    max_cert_bytes: 16_384,
    ...more,
  };
  return { clock, verdicts: new ClientVerdicts(config, clock) };
}

/** A presented certificate that counts how often it is read. */
function presented(certificate: MadeCertificate, key = 'k'): PresentedCertificate & { readonly reads: () => number } {
  const read = vi.fn(() => [certificate.der]);
  return { key, isForwarded: false, read, reads: () => read.mock.calls.length };
}

const isAccepted = (verdict: Verdict) => typeof verdict === 'object';

describe('verdicts on clients', () => {
  it('are promises once, and then kept without a second look', async () => {
    const { clock, verdicts } = verdictsOf();
    const seen = presented(clientBy(root));
    const first = verdicts.verdictOn(seen);
    expect(first).toBeInstanceOf(Promise);
    const verdict = await first;
    expect(isAccepted(verdict)).toBe(true);
    expect(verdicts.verdictOn(seen)).toBe(verdict);
    clock.advance(299_999);
    expect(verdicts.verdictOn(seen)).toBe(verdict);
    expect(seen.reads()).toBe(1);
    clock.advance(1);
    expect(await verdicts.verdictOn(seen)).not.toBe(verdict);
    expect(seen.reads()).toBe(2);
  });

  it('never outlive a certificate on the way', async () => {
    const notAfter = new Date(START_MS + 20_000);
    const short = makeAuthority({ subject: 'short', issuer: root, notAfter });
    const bench = new PluginBench(mtlsClientCertificateAuth, { trusted_ca_pems: [root.pem] });
    const chain = [clientBy(short), short];
    expect(statusOf(await present(bench, chain))).toBe(200);
    bench.clock.advance(20_000);
    expect(statusOf(await present(bench, chain))).toBe(200);
    bench.clock.advance(1);
    expect(statusOf(await present(bench, chain))).toBe(401);
  });

  it('that refuse are kept for ten seconds', async () => {
    const { clock, verdicts } = verdictsOf({ allowed_common_names: ['other'] });
    const seen = presented(clientBy(root));
    expect(await verdicts.verdictOn(seen)).toBe('common_name');
    clock.advance(9_999);
    expect(verdicts.verdictOn(seen)).toBe('common_name');
    expect(seen.reads()).toBe(1);
    clock.advance(1);
    expect(await verdicts.verdictOn(seen)).toBe('common_name');
    expect(seen.reads()).toBe(2);
  });

  it('are one for all who ask at a time', async () => {
    const { verdicts } = verdictsOf();
    const seen = presented(clientBy(root));
    const all = await Promise.all(Array.from({ length: WAITING_MAX }, async () => verdicts.verdictOn(seen)));
    expect([new Set(all).size, all.filter(isAccepted).length]).toEqual([1, WAITING_MAX]);
    expect(seen.reads()).toBe(1);
  });

  it('on strangers come at once, without a turn, and are not kept', () => {
    const { verdicts } = verdictsOf();
    const seen = presented(clientBy(stranger));
    expect([verdicts.verdictOn(seen), verdicts.verdictOn(seen)]).toEqual(['unknown_authority', 'unknown_authority']);
    expect(seen.reads()).toBe(2);
  });

  it('wait in a line that ends: who comes then is told to come again, but for those who are known', async () => {
    const { verdicts } = verdictsOf();
    const known = presented(clientBy(root), 'known');
    const verdict = await verdicts.verdictOn(known);
    const clients = Array.from({ length: 40 }, () => clientBy(root));
    const all = clients.map((client, at) => verdicts.verdictOn(presented(client, `k${at}`)));
    expect(all.filter((found) => found === 'busy')).toHaveLength(40 - WAITING_MAX);
    expect(verdicts.verdictOn(known)).toBe(verdict);
    const waited = all.filter((found) => found instanceof Promise);
    expect((await Promise.all(waited)).filter(isAccepted)).toHaveLength(WAITING_MAX);
    expect(isAccepted(await verdicts.verdictOn(presented(clients[39] ?? root, 'k39')))).toBe(true);
  });

  it('are about the certificate and its path: what else a client sends along, in any order, makes no other', async () => {
    const { verdicts } = verdictsOf();
    const client = clientBy(intermediate);
    const junk = Array.from({ length: 5 }, (_one, at) => makeAuthority({ subject: `junk ${at}` }));
    const orders = Array.from({ length: 40 }, (_order, at) => {
      const mixed = [...junk.slice(at % 5), intermediate, ...junk.slice(0, at % 5)];
      const chain = [client, ...(at % 2 === 0 ? mixed : mixed.toReversed())];
      return { key: `order ${at}`, isForwarded: false, read: () => chain.map(({ der }) => der) };
    });
    const all = orders.slice(0, WAITING_MAX).map((order) => verdicts.verdictOn(order));
    const verdict = await all[0];
    expect(new Set(await Promise.all(all.map(async (one) => one)))).toEqual(new Set([verdict]));
    // No promises: nothing is judged any more.
    for (const order of orders) expect(verdicts.verdictOn(order)).toBe(verdict);
    const forwarded = { key: 'other way', isForwarded: true, read: () => [client.der, intermediate.der] };
    expect(await verdicts.verdictOn(forwarded)).not.toBe(verdict);
  });

  it('stay beside a client that presents itself in ever new ways', async () => {
    const bench = new PluginBench(mtlsClientCertificateAuth, { trusted_ca_pems: [root.pem] });
    const [good, low] = [clientBy(root), clientBy(root)];
    expect(statusOf(await present(bench, [good]))).toBe(200);
    const junk = Array.from({ length: 40 }, () => makeAuthority({ subject: 'junk' }));
    const flood = junk.map((one) => present(bench, [low, one]));
    expect(statusOf(await present(bench, [good]))).toBe(200);
    await Promise.all(flood);
    expect(statusOf(await present(bench, [clientBy(root)]))).toBe(200);
  });

  it('that come too late are answered 503, and close nothing', async () => {
    const bench = new PluginBench(mtlsClientCertificateAuth, { trusted_ca_pems: [root.pem] }, {});
    const clients = Array.from({ length: 40 }, () => clientBy(root));
    const statuses = (await Promise.all(clients.map((client) => present(bench, [client])))).map(statusOf);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(statusOf(await present(bench, clients.slice(39)))).toBe(200);
  });
});

describe('turns', () => {
  it('are taken one after another, each in a turn of the event loop of its own', async () => {
    const turns = new Turns();
    const events: string[] = [];
    const work = async (name: string) => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
    };
    const both = [turns.take(() => work('one')), turns.take(() => work('two'))];
    setImmediate(() => events.push('others'));
    for (const one of both) await one;
    expect(events.indexOf('others')).toBeLessThan(events.indexOf('two begins'));
    expect(events.filter((event) => event !== 'others')).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('go on after one that failed', async () => {
    const turns = new Turns();
    const failed = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
    await expect(turns.take(() => Promise.resolve('again'))).resolves.toBe('again');
  });
});
