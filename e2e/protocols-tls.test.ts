import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import { eventually } from '@portcullis/testkit';
import {
  makeAuthority,
  makeCertificate,
  type CertificateOrder,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, startProtocolStack, type GatewayNode, type ProtocolStack } from './support/protocol-stack.ts';

const day = 86_400_000;
const past = { notBefore: new Date(Date.now() - 2 * day), notAfter: new Date(Date.now() - day) };
const stranger = makeAuthority({ subject: 'Another CA' });
const clients = makeAuthority({ subject: 'Client CA' });

/** Certificates that nobody who verifies may take, as orders that differ from a good one. */
const badOrders: readonly (readonly [string, CertificateOrder | 'self-signed'])[] = [
  ['expired', past],
  ['of another authority', { issuer: stranger }],
  ['signed by itself', 'self-signed'],
];

describe('TLS of a real gateway, with real clients', () => {
  let protocols: ProtocolStack;
  let node: GatewayNode;
  const servers: Server[] = [];

  /** A service that says whom it was called by, and wants a certificate of {@link clients} where it says so. */
  async function startService(certificate: MadeCertificate, requestCert = false): Promise<string> {
    const { pem: cert, keyPem: key } = certificate;
    const server = createServer({ cert, key, requestCert, ca: clients.pem }, (req, res) => {
      const caller = requestCert ? (req.socket as TLSSocket).getPeerX509Certificate()?.subject : undefined;
      res.end(JSON.stringify({ caller, headers: req.headers }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    protocols = await startProtocolStack();
    const { create, certify, present, stack, authority } = protocols;
    await create('ca-certificates', { name: 'clients', cert: clients.pem });
    const own = makeCertificate({ subject: 'the gateway', issuer: clients });
    const { id: client_certificate_id } = await create('certificates', { name: 'own', cert: own.pem, key: own.keyPem });
    const asked = { client_ca_certificate_ids: ['clients'] };
    const ca_certificate_ids = ['edge-ca'];
    await Promise.all([
      present(certify(['exact.wild.test']), ['exact.wild.test']),
      present(certify(['*.wild.test']), ['*.wild.test']),
      present(certify(['fleet.test']), ['fleet.test']),
      present(certify(['must.test']), ['must.test'], { client_certificate_mode: 'require', ...asked }),
      present(certify(['may.test']), ['may.test'], { client_certificate_mode: 'request', ...asked }),
      create('services', { name: 'echo', url: stack.upstream.url }),
      create('services', {
        name: 'guarded',
        url: await startService(certify(['guarded']), true),
        ca_certificate_ids,
        client_certificate_id,
      }),
      ...badOrders.map(async ([, order], at) => {
        await present(certify([`bad-${at}.test`], order), [`bad-${at}.test`]);
        const url = await startService(certify(['bad'], order));
        await create('services', { name: `bad-${at}`, url, ca_certificate_ids });
        await create('routes', { name: `bad-${at}`, path: `/bad-${at}`, service_name: `bad-${at}` });
      }),
    ]);
    const upstream_headers = { 'X-Who': 'subject' };
    const config = { trusted_ca_pems: [clients.pem], allowed_common_names: ['partner'], upstream_headers };
    const plugins = [{ name: 'mtls_client_certificate_auth', config }];
    await Promise.all([
      create('routes', { name: 'guarded', path: '/guarded', service_name: 'guarded' }),
      create('routes', { name: 'echo', path: '/echo', service_name: 'echo' }),
      create('routes', { name: 'partners', path: '/partners', service_name: 'echo', plugins }),
    ]);
    await writeFile(stack.folder.join('ca.pem'), authority.pem);
    node = await protocols.startNode();
  });

  afterAll(async () => {
    for (const server of servers) server.close().closeAllConnections();
    await protocols[Symbol.asyncDispose]();
  });

  const curl = (name: string, path: string, ...more: readonly string[]) => {
    const place = `${name}:${node.tlsPort}`;
    const trust = ['--cacert', protocols.stack.folder.join('ca.pem'), '--resolve', `${place}:127.0.0.1`];
    return runProgram('curl', ['-sS', '-m', '20', ...trust, ...more, `https://${place}${path}`]);
  };

  /** A client's certificate as curl takes it. */
  async function shown(name: string, { pem, keyPem }: MadeCertificate): Promise<readonly string[]> {
    const [cert, key] = [`${name}.pem`, `${name}.key`].map((file) => protocols.stack.folder.join(file)) as [
      string,
      string,
    ];
    await Promise.all([writeFile(cert, pem), writeFile(key, keyPem, { mode: 0o600 })]);
    return ['--cert', cert, '--key', key];
  }

  it.each([
    ['1.2', '--http1.1', '1.1'],
    ['1.2', '--http2', '2'],
    ['1.3', '--http1.1', '1.1'],
    ['1.3', '--http2', '2'],
  ])('%s carries requests of curl %s', async (tls, flag, version) => {
    const format = ['-o', '/dev/null', '-w', '%{http_code} %{http_version}'];
    const { said } = await curl('exact.wild.test', '/echo', flag, `--tlsv${tls}`, '--tls-max', tls, ...format);
    expect(said).toBe(`200 ${version}`);
  });

  it('older than 1.2 is refused and counted, and so is a name without a certificate', async () => {
    const old = ['--tlsv1.0', '--tls-max', '1.1', '--ciphers', 'DEFAULT@SECLEVEL=0'];
    expect((await curl('exact.wild.test', '/echo', ...old)).code).toBe(35);
    expect((await curl('nobody.test', '/echo')).said).toMatch(/unrecognized name/);
    expect(await node.metric('gateway_tls_refusals_total', '"protocol_version"')).toBe(1);
    expect(await node.metric('gateway_tls_refusals_total', '"unrecognized_name"')).toBe(1);
  });

  it.each([
    ['exact.wild.test', 'exact.wild.test'],
    ['other.wild.test', '*.wild.test'],
    ['fleet.test', 'fleet.test'],
  ])('shows %s the certificate of %s, as openssl sees it', async (name, subject) => {
    const place = ['-connect', `127.0.0.1:${node.tlsPort}`, '-servername', name];
    const trust = ['-CAfile', protocols.stack.folder.join('ca.pem'), '-verify_return_error', '-verify_hostname', name];
    const { said } = await runProgram('openssl', ['s_client', ...place, ...trust], '');
    expect(said).toMatch(new RegExp(`subject=CN = ${subject.replaceAll('*', '\\*')}\n`));
    expect(said).toContain('Verify return code: 0 (ok)');
  });

  it('has its certificate replaced under load without a failed request', { timeout: 60_000 }, async () => {
    const origin = `https://127.0.0.1:${node.tlsPort}`;
    let trusted = protocols.authority.pem;
    const failures: string[] = [];
    let answered = 0;
    const stopping = new AbortController();
    const presented = new Set<string>();
    const connect = { ca: trusted, servername: 'fleet.test' };
    const kept = [new Agent({ connect, allowH2: true }), new Agent({ connect, allowH2: false, connections: 4 })];
    const lane = async (agent: () => Agent): Promise<void> => {
      while (!stopping.signal.aborted) {
        try {
          const dispatcher = agent();
          const { statusCode, body } = await request(`${origin}/echo`, { dispatcher, headers: { host: 'fleet.test' } });
          await body.dump();
          if (statusCode !== 200) failures.push(`${statusCode}`);
          if (!kept.includes(dispatcher)) await dispatcher.close();
          answered += 1;
        } catch (error) {
          failures.push(String(error));
        }
      }
    };
    const fresh = (): Agent =>
      new Agent({
        connect: {
          ...connect,
          checkServerIdentity: (_host: string, { fingerprint256 }: { readonly fingerprint256: string }) => {
            presented.add(fingerprint256);
            return undefined;
          },
        },
        allowH2: false,
      });
    const load = Promise.all([lane(() => kept[0] as Agent), lane(() => kept[1] as Agent), lane(fresh), lane(fresh)]);
    for (let turn = 1; turn <= 3; turn += 1) {
      const { pem, keyPem } = protocols.certify(['fleet.test']);
      await eventually(() => presented.size === turn && answered > turn * 20, { timeoutMs: 20_000 });
      await protocols.admin('PATCH', '/gateways/edge/certificates/of-fleet.test', { cert: pem, key: keyPem });
      await eventually(() => presented.size === turn + 1, { timeoutMs: 20_000 });
    }
    stopping.abort();
    await load;
    await Promise.all(kept.map((agent) => agent.close()));
    expect([failures, presented.size]).toEqual([[], 4]);
  });

  it.each(badOrders.map(([kind], at) => [kind, at] as const))(
    'whose certificate is %s is refused by its clients, and refuses services with such a one',
    async (_, at) => {
      expect((await curl(`bad-${at}.test`, '/echo')).code).toBe(60);
      const answer = await fetch(`${node.url}/bad-${at}`);
      expect([answer.status, await answer.json()]).toEqual([
        502,
        expect.objectContaining({ code: 'upstream_tls_failed' }),
      ]);
      const codes = ['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT'];
      await eventually(() => node.process.stdout().includes(`"reason":"${codes[at]}"`));
    },
  );

  it('shows its own certificate to services that ask for one', async () => {
    const answer = await fetch(`${node.url}/guarded`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { caller: 'CN=the gateway' }]);
  });

  it('lets clients in by their certificates, and tells the others why not', async () => {
    const status = ['-o', '/dev/null', '-w', '%{http_code}'];
    const partner = await shown('partner', makeCertificate({ subject: 'partner', issuer: clients }));
    const other = await shown('other', makeCertificate({ subject: 'other', issuer: clients }));
    expect((await curl('must.test', '/echo', ...other, ...status)).said).toBe('200');
    expect((await curl('must.test', '/partners', ...other, ...status)).said).toBe('403');
    const { said } = await curl('may.test', '/partners', ...partner, '-H', 'X-Who: mallory');
    expect(JSON.parse(said)).toMatchObject({ headers: { 'x-who': 'CN=partner' } });
    expect((await curl('may.test', '/partners', ...status)).said).toBe('401');
    expect((await curl('may.test', '/echo', ...status)).said).toBe('200');
    expect((await curl('exact.wild.test', '/partners', ...partner, ...status)).said).toBe('401');
    // In TLS 1.3 it is the client that finds the alert when it reads.
    expect((await curl('must.test', '/echo', '--http1.1')).said).toMatch(/alert certificate required/);
    expect(await node.metric('gateway_tls_refusals_total', '"client_certificate_missing"')).toBe(1);
  });

  it.each([
    ['expired', { ...past, issuer: clients }, 'CERT_HAS_EXPIRED'],
    ['of another authority', { issuer: stranger }, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ['signed by itself', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('tells clients whose certificate is %s that it is not trusted', async (kind, order, code) => {
    const client = await shown(kind.replaceAll(' ', '-'), makeCertificate({ subject: 'partner', ...order }));
    const told = await curl('must.test', '/echo', '--http1.1', ...client);
    expect(JSON.parse(told.said)).toMatchObject({ status: 400, code: 'client_certificate_untrusted' });
    // Curl's number for a failure within HTTP/2; that of a reset is 56.
    expect((await curl('must.test', '/echo', '--http2', ...client)).code).toBe(16);
    const lines = (): readonly string[] => node.process.stdout().split('\n');
    await eventually(() => lines().some((line) => line.includes('"must.test"') && line.includes(`"code":"${code}"`)));
    // A name that only asks leaves it to the plugin.
    const plugin = await curl('may.test', '/partners', ...client, '-o', '/dev/null', '-w', '%{http_code}');
    expect(plugin.said).toBe('401');
  });
});
