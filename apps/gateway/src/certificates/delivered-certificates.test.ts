import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { eventually, startUpstream } from '@portcullis/testkit';
import { makeAuthority, type MadeCertificate } from '@portcullis/testkit/certificates';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startGateway } from '../gateway.ts';
import { everythingTo, settingsOf, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { serverFor } from './certificate-index.test-support.ts';

const loopback = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
const root = makeAuthority({ subject: 'root' });
const signed = (serial: number): MadeCertificate => serverFor(['a.test'], { issuer: root, serial });
const [first, second] = [signed(0x11), signed(0x22)];

/** Everything to one upstream, with these certificates. */
function withCertificates(
  url: string,
  records: Pick<Resources, 'certificates' | 'snis' | 'ca_certificates'>,
): Resources {
  return { ...everythingTo(url), ...records };
}

const certificate = (id: string, { pem, keyPem }: MadeCertificate) => ({ id, cert: pem, key: keyPem });
const sni = (name: string, certificateId: string) => ({ id: name, name, certificate_id: certificateId });

/** Asks once on a connection of its own. @returns status and serial of what was presented, or the code of the failure */
async function ask(port: number, options: RequestOptions = {}): Promise<readonly unknown[]> {
  const sent = request({ host: '127.0.0.1', port, servername: 'a.test', ca: root.pem, agent: false, ...options });
  sent.end();
  try {
    const [answer] = await once(sent, 'response');
    const serial = (answer.socket as TLSSocket).getPeerCertificate().serialNumber;
    await text(answer);
    return [answer.statusCode, serial];
  } catch (error) {
    return [(error as NodeJS.ErrnoException).code];
  }
}

describe('certificates of a gateway', () => {
  it('are replaced live: what runs goes on, and no request fails', async () => {
    await using upstream = await startUpstream((_, response) => void response.end('ok'));
    const resources = ({ pem, keyPem }: MadeCertificate): Resources =>
      withCertificates(upstream.url, {
        certificates: [{ id: 'c1', cert: pem, key: keyPem }],
        snis: [sni('a.test', 'c1')],
      });
    await using gateway = await startTestGateway(resources(first), loopback);
    const over = new AbortController();
    const seen: string[] = [];
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) seen.push(JSON.stringify(await ask(gateway.tlsPort)));
    };
    const clients = [client(), client(), client()];
    for (const made of [second, first, second, first, second]) {
      const before = seen.length;
      await gateway.publish(resources(made));
      await eventually(() => seen.length >= before + 12);
    }
    over.abort();
    await Promise.all(clients);
    expect(new Set(seen)).toEqual(new Set(['[200,"11"]', '[200,"22"]']));
    expect(seen.at(-1)).toBe('[200,"22"]');
  });

  it('that are broken are left out with a mistake, and everything else is served', async () => {
    await using upstream = await startUpstream((_, response) => void response.end('ok'));
    const good = { certificates: [certificate('c1', first)], snis: [sni('a.test', 'c1')] };
    await using gateway = await startTestGateway(withCertificates(upstream.url, good), loopback);
    const broken = {
      certificates: [certificate('c1', first), { ...certificate('c2', second), key: first.keyPem }],
      snis: [sni('a.test', 'c1'), sni('b.test', 'c2'), sni('*', 'c1')],
      ca_certificates: [{ id: 'ca1', cert: first.pem }],
    };
    await gateway.publish(withCertificates(upstream.url, broken));
    const ack = gateway.controlPlane.acks.at(-1);
    expect([ack?.status, ack?.errors.map(({ pointer }) => pointer)]).toEqual([
      'applied',
      [
        '/resources/certificates/c2/key',
        '/resources/ca_certificates/ca1/cert',
        '/resources/snis/b.test/certificate_id',
      ],
    ]);
    const lenient = { rejectUnauthorized: false };
    expect(await ask(gateway.tlsPort)).toEqual([200, '11']);
    expect(await ask(gateway.tlsPort, { ...lenient, servername: 'other.test' })).toEqual([200, '11']);
    expect(await ask(gateway.tlsPort, { ...lenient, servername: 'b.test' })).toEqual([expect.any(String)]);
  });

  it('are kept for restarts without the control plane, and their keys are told to nobody', async () => {
    await using upstream = await startUpstream((_, response) => void response.end('ok'));
    const records = { certificates: [certificate('c1', first)], snis: [sni('a.test', 'c1')] };
    await using gateway = await startTestGateway(withCertificates(upstream.url, records), loopback);
    const [, ...lines] = first.keyPem.trim().split('\n');
    const secret = lines[0] ?? '';
    const kept = await filesBelow(gateway.folder.join('cache'));
    const page = await (await fetch(`${gateway.statusUrl}/config?family=certificates`)).text();
    const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    expect(secret.length).toBeGreaterThan(40);
    for (const shown of [...kept, page, metrics, JSON.stringify(gateway.controlPlane.acks)]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain('PRIVATE KEY');
    }
    expect(JSON.parse(page)).toMatchObject({ records: [{ family: 'certificates', id: 'c1' }] });
    expect(page).not.toContain('BEGIN');
    const expiry = `gateway_certificate_expiry_timestamp_seconds{gateway="gateway-1",certificate="c1"}`;
    expect(metrics).toContain(`${expiry} ${Date.parse('2035-01-01T00:00:00Z') / 1000}`);
    expect(kept.length).toBeGreaterThan(0);
    await gateway.stop();
    await gateway.controlPlane.close();
    const settings = settingsOf(gateway.controlPlane.url, gateway.folder, loopback);
    const again = await startGateway(settings, pino({ level: 'silent' }));
    expect(await ask(again.proxyTlsPort)).toEqual([200, '11']);
    await again.stop();
  });
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')));
}
