import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@portcullis/testkit';
import type { MadeCertificate } from '@portcullis/testkit/certificates';
import { startChild, type Child } from '../machine/child.ts';
import { findExecutable } from '../machine/executable.ts';
import type { Pinning } from '../machine/pinning.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { builtEntry } from '../peers/built.ts';
import { startControlPlane } from '../peers/control-plane.ts';
import { startGateway } from '../peers/gateway-process.ts';
import { serverLimitMs } from '../peers/limits.ts';
import { administratorFolders, untilListening } from '../peers/listening-peer.ts';
import { nginxProtocols } from './nginx-protocols.ts';
import { protocolConfiguration, type NamedCertificate } from './protocol-configuration.ts';
import type { ProtocolUpstream } from './protocol-upstream.ts';

/** A peer, running: cleartext on one port, TLS with HTTP/1.1 and HTTP/2 on the other. */
export interface RunningProtocolPeer extends AsyncDisposable {
  readonly process: Child;
  readonly port: number;
  readonly tlsPort: number;
}

/** A way to start one peer as a process of its own. */
export interface ProtocolPeer {
  readonly name: string;
  start(upstream: ProtocolUpstream): Promise<RunningProtocolPeer>;
}

const token = 'gwdp_bench_0123456789abcdef0123456789abcdef';

/** The least that Node costs, our gateway, and nginx where it is installed. @param entry the built `main.js` of the gateway */
export function protocolPeers(
  pinning: Pinning,
  entry: string,
  certificate: Pick<MadeCertificate, 'pem' | 'keyPem'>,
): readonly ProtocolPeer[] {
  const nginx = findExecutable('nginx', administratorFolders);
  return [
    minimal(pinning, certificate),
    protocolGateway(pinning, entry, [{ name: '*', certificate }]),
    ...(nginx === undefined ? [] : [nginxPeer(pinning, nginx, certificate)]),
  ];
}

/** The gateway with certificates for server names. */
export function protocolGateway(pinning: Pinning, entry: string, names: readonly NamedCertificate[]): ProtocolPeer {
  return {
    name: 'gateway',
    async start(upstream) {
      await using parts = new AsyncDisposableStack();
      const controlPlane = parts.use(await startControlPlane(protocolConfiguration(upstream, names), token));
      const tlsPort = await freePort();
      const settings = { PORTCULLIS_PROXY_TLS_PORT: `${tlsPort}` };
      const { url } = controlPlane;
      const { process: child, port } = parts.use(await startGateway(pinning, entry, { url, token }, [], settings));
      return owned(parts.move(), child, port, tlsPort);
    },
  };
}

type Pems = Pick<MadeCertificate, 'pem' | 'keyPem'>;

function minimal(pinning: Pinning, certificate: Pems): ProtocolPeer {
  return program(pinning, 'minimal', certificate, ({ port, tlsPort, upstream, files }) =>
    Promise.resolve([
      process.execPath,
      builtEntry('minimal-protocols'),
      ...[port, tlsPort, upstream.port, upstream.callsPort].map(String),
      files.certificate,
      files.key,
    ]),
  );
}

function nginxPeer(pinning: Pinning, executable: string, certificate: Pems): ProtocolPeer {
  return program(pinning, 'nginx', certificate, async ({ folder, ...place }) => {
    const file = join(folder, 'nginx.conf');
    await writeFile(file, nginxProtocols({ folder, ...place }));
    return [executable, '-p', folder, '-e', 'stderr', '-c', file];
  });
}

/** Where a program listens, leads to, and finds its certificate. */
export interface ProtocolPlace {
  readonly port: number;
  readonly tlsPort: number;
  readonly upstream: ProtocolUpstream;
  readonly folder: string;
  readonly files: { readonly certificate: string; readonly key: string };
}

function program(
  pinning: Pinning,
  name: string,
  { pem, keyPem }: Pems,
  commandOf: (place: ProtocolPlace) => Promise<readonly [string, ...string[]]>,
): ProtocolPeer {
  return {
    name,
    async start(upstream) {
      await using parts = new AsyncDisposableStack();
      const { path: folder } = parts.use(await scratchFolder());
      const files = { certificate: join(folder, 'bench.pem'), key: join(folder, 'bench.key') };
      await Promise.all([writeFile(files.certificate, pem), writeFile(files.key, keyPem, { mode: 0o600 })]);
      const [port, tlsPort] = [await freePort(), await freePort()];
      const command = await commandOf({ port, tlsPort, upstream, folder, files });
      const child = parts.use(startChild(pinning.wrap('peer', command), {}, serverLimitMs));
      await untilListening(tlsPort, child, name);
      return owned(parts.move(), child, port, tlsPort);
    },
  };
}

function owned(parts: AsyncDisposableStack, child: Child, port: number, tlsPort: number): RunningProtocolPeer {
  return { process: child, port, tlsPort, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
