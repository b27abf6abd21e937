import { FakeClock } from '@portcullis/testkit';
import { makeAuthority, type MadeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it, vi } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { ClientVerdicts, type Verdict } from './client-verdicts.ts';
import type { Config } from './config.ts';
import { mtlsClientCertificateAuth } from './index.ts';
import { clientBy, present, root, statusOf, stranger } from './made-chains.test-support.ts';
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
    expect(await verdicts.verdictOn(seen)).toBe('not_allowed');
    clock.advance(9_999);
    expect(verdicts.verdictOn(seen)).toBe('not_allowed');
    expect(seen.reads()).toBe(1);
    clock.advance(1);
    expect(await verdicts.verdictOn(seen)).toBe('not_allowed');
    expect(seen.reads()).toBe(2);
  });

  it('are one for all who ask at a time', async () => {
    const { verdicts } = verdictsOf();
    const seen = presented(clientBy(root));
    const all = await Promise.all(Array.from({ length: 50 }, async () => verdicts.verdictOn(seen)));
    expect(new Set(all).size).toBe(1);
    expect(seen.reads()).toBe(1);
  });

  it('on strangers come at once, without a turn, and are not kept', () => {
    const { verdicts } = verdictsOf();
    const seen = presented(clientBy(stranger));
    expect([verdicts.verdictOn(seen), verdicts.verdictOn(seen)]).toEqual(['untrusted', 'untrusted']);
    expect(seen.reads()).toBe(2);
  });

  it('wait in a line that ends: who comes then is told to come again', async () => {
    const { verdicts } = verdictsOf();
    const client = clientBy(root);
    const all = await Promise.all(
      Array.from({ length: 40 }, async (_client, at) => verdicts.verdictOn(presented(client, `k${at}`))),
    );
    expect(all.filter(isAccepted)).toHaveLength(32);
    expect(all.filter((verdict) => verdict === 'busy')).toHaveLength(8);
    expect(isAccepted(await verdicts.verdictOn(presented(client, 'k39')))).toBe(true);
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
    const turns = new Turns(10);
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
    const turns = new Turns(2);
    const failed = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('next'));
    expect(turns.take(() => Promise.resolve('too many'))).toBeUndefined();
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
    await expect(turns.take(() => Promise.resolve('again'))).resolves.toBe('again');
  });
});
