import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { startUpstream, temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgress, type Egress } from '../egress.ts';
import { begin } from './stream.test-support.ts';

const bounds = { timeoutMs: 30_000, responseBytesMax: 10_000 };
const run = promisify(execFile);

let folder: TemporaryFolder;
let server: Server;
let egress: Egress;
let port = 0;

/** A key and a certificate for a name, of itself or of an authority. */
async function certificate(name: string, file: string, authority?: string): Promise<void> {
  const own = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
  const of =
    authority === undefined ? [] : ['-CA', folder.join(`${authority}.pem`), '-CAkey', folder.join(`${authority}.key`)];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', folder.join(`${file}.key`)];
  await run('openssl', ['req', '-x509', ...key, ...own, ...of, '-out', folder.join(`${file}.pem`)]);
}

/** An address of the server under a name. */
function at(name: string, path = '/'): string {
  return `https://${name}:${port}${path}`;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await certificate('authority.test', 'authority');
  await certificate('right.test', 'server', 'authority');
  await certificate('self.test', 'self');
  const read = async (file: string): Promise<Buffer> => await readFile(folder.join(file));
  const [cert, key, selfCert, selfKey, ca] = await Promise.all(
    ['server.pem', 'server.key', 'self.pem', 'self.key', 'authority.pem'].map(read),
  );
  server = createServer({ cert, key }, (req, res) => {
    if (req.url === '/down') res.writeHead(302, { location: `http://right.test:${port}/` }).end();
    else res.end(JSON.stringify([(req.socket as TLSSocket & { servername?: string }).servername, req.headers.host]));
  });
  server.addContext('self.test', { cert: selfCert, key: selfKey });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  egress = createEgress({
    lookup: async () => ['127.0.0.1'],
    allowed: [{ address: '127.0.0.1' }],
    certificates: [String(ca)],
  });
});

afterAll(async () => {
  await egress.close();
  server.close();
  await folder.remove();
});

describe('over TLS', () => {
  it('the name goes along though the connection goes to an address', async () => {
    for (const name of ['right.test', 'RIGHT.test.']) {
      const { body } = await egress.request({ url: at(name), ...bounds });
      expect(JSON.parse(Buffer.from(body).toString())).toEqual(['right.test', `right.test:${port}`]);
    }
  });

  it.each([
    ['another name', 'wrong.test', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['an address', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['nobody who is trusted', 'self.test', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('a certificate of %s is refused', async (_whose, name, code) => {
    await egress.request({ url: at('right.test'), ...bounds }); // A session of a good connection helps no other.
    const error: unknown = await egress.request({ url: at(name), ...bounds }).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'unreachable', message: `no whole answer came (${code})` });
  });

  it('an authority that is only ours is trusted by nobody else', async () => {
    const other = createEgress({ lookup: async () => ['127.0.0.1'], allowed: [{ address: '127.0.0.1' }] });
    await expect(other.request({ url: at('right.test'), ...bounds })).rejects.toMatchObject({ code: 'unreachable' });
    await other.close();
  });

  it('a server without TLS is none', async () => {
    await using plain = await startUpstream();
    const call = egress.request({ url: `https://right.test:${plain.port}/`, ...bounds });
    await expect(call).rejects.toMatchObject({ code: 'unreachable' });
    expect(plain.requests).toEqual([]);
  });

  it('a redirect that leads away from it is refused', async () => {
    const call = egress.request({ url: at('right.test', '/down'), ...bounds, redirectsMax: 3 });
    await expect(call).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('where TLS is required', () => {
  it('cleartext goes to listed addresses only, and never over a connection that is there', async () => {
    await using plain = await startUpstream();
    let lookedUp = '9.9.9.9';
    const listed = createEgress({ lookup: async () => [lookedUp], allowed: [{ address: '127.0.0.1' }] });
    const url = `http://name.test:${plain.port}/`;
    await expect(listed.request({ url, ...bounds, requiresTls: true })).rejects.toMatchObject({ code: 'refused' });
    lookedUp = '127.0.0.1';
    expect((await listed.request({ url, ...bounds, requiresTls: true })).status).toBe(200);
    expect((await listed.request({ url, ...bounds })).status).toBe(200);
    expect(plain.connections()).toBe(2);
    await listed.close();
  });

  it('TLS goes wherever it may', async () => {
    expect((await egress.request({ url: at('right.test'), ...bounds, requiresTls: true })).status).toBe(200);
  });
});

describe('streamed over TLS', () => {
  it('the certificate is checked, and an answer comes where it is right', async () => {
    const right = await begin(egress, { url: at('right.test') }).over();
    expect(right.join()).toMatch(/^head 200,data .*right\.test.*,end$|^head 200,data,end$/);
    for (const name of ['wrong.test', '127.0.0.1', 'self.test']) {
      expect([name, await begin(egress, { url: at(name) }).over()]).toEqual([name, ['failed unreachable']]);
    }
    await using plain = await startUpstream();
    const url = `https://right.test:${plain.port}/`;
    expect(await begin(egress, { url, requiresTls: true }).over()).toEqual(['failed unreachable']);
  });
});
