import { connect as connectPlain, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import {
  alternativeNames,
  generalName,
  makeCertificate,
  type CertificateOrder,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { checkChanges } from '../configuration/checked-changes.ts';
import type { RecordKey } from '../configuration/received-configuration.ts';
import { familyOf } from '../configuration/record-set.ts';
import { TimeSlices } from '../configuration/time-slices.ts';
import { TlsEnds } from '../listeners/tls-ends.ts';
import type { CertificateIndex } from './certificate-index.ts';
import type { ServerIdentities, ServerIdentity } from './server-identities.ts';

/** A server's certificate for some names. */
export function serverFor(names: readonly string[], order: CertificateOrder = {}): MadeCertificate {
  const [first = 'server'] = names;
  return makeCertificate({
    subject: first,
    ...order,
    extensions: [alternativeNames(...names.map(generalName.dns)), ...(order.extensions ?? [])],
  });
}

/** A certificate's record. */
export function certificateRecord(id: string, { pem, keyPem }: MadeCertificate, more: object = {}): Change {
  return { key: `certificates/${id}`, record: { cert: pem, key: keyPem, ...more } };
}

/** A server name's record, whose ID is the name. */
export function sniRecord(name: string, certificateId: string, more: object = {}): Change {
  return { key: `snis/${name}`, record: { name, certificate_id: certificateId, ...more } };
}

/** An authority's record. */
export function authorityRecord(id: string, { pem }: Pick<MadeCertificate, 'pem'>): Change {
  return { key: `ca_certificates/${id}`, record: { cert: pem } };
}

/** A record as it is from now on; without one it is gone. */
export interface Change {
  readonly key: RecordKey;
  readonly record?: object;
}

/** Takes changes in as a configuration's. @returns mistakes by record, and those of server names */
export async function change(index: CertificateIndex, changes: readonly Change[]): Promise<readonly string[]> {
  const slices = new TimeSlices({ monotonicMs: () => 0, pause: async () => undefined });
  const upserts = changes.flatMap(({ key, record }) => {
    if (record === undefined) return [];
    const family = familyOf(key);
    return [{ key, family, record: { ...record, id: key.slice(family.length + 1) }, line: '', leaf: '' }];
  });
  const removals = changes.filter(({ record }) => record === undefined).map(({ key }) => key);
  const checked = await checkChanges({ upserts, removals }, slices);
  if (checked.errors.errors.length > 0) throw new Error(JSON.stringify(checked.errors.errors));
  for (const one of checked.changes) if (!index.put(one)) throw new Error(`${one.family} is no family of certificates`);
  await index.build(slices);
  const mistakes = [...checked.leftOut.values(), ...index.mistakes()].flat();
  return mistakes.map(({ pointer, message }) => `${pointer} ${message}`);
}

/** What a client and the server saw of a handshake, or the code with which it failed. */
export interface Shaken {
  readonly subject?: string;
  readonly protocol?: string | null;
  readonly isResumed?: boolean;
  /** Whether the server verified the client. */
  readonly isClientVerified?: boolean;
  readonly failure?: string;
  readonly session?: Buffer;
}

/** A server of real TLS that has the identities of an index. */
export async function listenWith(identities: () => ServerIdentities): Promise<HandshakeServer> {
  const sockets = new Set<Socket>();
  const ends = new TlsEnds(60_000);
  let wanted: ServerIdentity | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    if (wanted === undefined) socket.destroy();
    else {
      ends.begin(socket, wanted, {
        onSecure: (secure) => void secure.on('error', () => secure.destroy()).end(String(secure.authorized)),
        onUntrusted: (secure) => secure.destroy(),
        onFailure: () => undefined,
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    shake: async (serverName, options = {}) => {
      wanted = identities().find(serverName);
      const socket = connectPlain(port, '127.0.0.1');
      return shaken(connect({ socket, servername: serverName, rejectUnauthorized: false, ...options }));
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** See {@link listenWith}. */
export interface HandshakeServer extends AsyncDisposable {
  /** Shakes hands as a client that trusts everybody, unless it is told otherwise. */
  shake(serverName: string, options?: ConnectionOptions): Promise<Shaken>;
}

function shaken(socket: TLSSocket): Promise<Shaken> {
  return new Promise((resolve) => {
    let session: Buffer | undefined;
    let said = '';
    let subject: unknown;
    socket.on('secureConnect', () => (subject = socket.getPeerCertificate().subject?.CN));
    socket.on('session', (ticket) => (session = ticket));
    socket.on('data', (chunk) => (said += chunk.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ failure: error.code ?? error.message }));
    socket.on('end', () => {
      const seen = {
        subject: String(subject),
        protocol: socket.getProtocol(),
        isResumed: socket.isSessionReused(),
        isClientVerified: said === 'true',
        ...(session && { session }),
      };
      // With TLS 1.3 a client learns only after its own side of the handshake that it was refused.
      resolve(said === '' ? { failure: 'closed' } : seen);
    });
  });
}
