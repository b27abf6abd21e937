import { makeCertificate, newKey } from '@portcullis/testkit/certificates';
import type { Pinning } from '../machine/pinning.ts';
import { measureRunning } from './measure-protocols.ts';
import { protocolGateway } from './protocol-peers.ts';
import type { NamedCertificate } from './protocol-configuration.ts';
import type { ProtocolUpstream } from './protocol-upstream.ts';

/** What so many certificates cost. */
export interface ServerNameCost {
  readonly certificates: number;
  /** From the start of the gateway's process until it is ready. */
  readonly readySeconds: number;
  /** Of one handshake with a request on it; names are asked for by turns. */
  readonly cpuMicroseconds: number;
  readonly residentMegabytes: number;
  readonly errors: number;
}

/** Names that handshakes ask for: so few that both tables have their contexts ready, so that what differs is the look-up. */
const askedNames = 10;

/** Starts a gateway with so many certificates, one server name each, and measures handshakes. */
export async function serverNameCost(
  pinning: Pinning,
  entry: string,
  upstream: ProtocolUpstream,
  count: number,
  load: { readonly connections: number; readonly units: number },
): Promise<ServerNameCost> {
  const names = namedCertificates(count);
  const startedMs = performance.now();
  await using running = await protocolGateway(pinning, entry, names).start(upstream);
  const readySeconds = (performance.now() - startedMs) / 1000;
  const serverNames = names.filter((_, at) => at % Math.ceil(count / askedNames) === 0).map(({ name }) => name);
  const measured = await measureRunning(pinning, 'gateway', running, { kind: 'handshake', ...load, serverNames });
  const { cpuMicroseconds, residentMegabytes, errors } = measured;
  return { certificates: count, readySeconds, cpuMicroseconds, residentMegabytes, errors };
}

/** Certificates of one key, each with a serial number of its own. */
function namedCertificates(count: number): readonly NamedCertificate[] {
  const key = newKey();
  return Array.from({ length: count }, (_, at) => {
    const name = `host-${at}.bench.test`;
    return { name, certificate: makeCertificate({ subject: name, serial: at + 1, key }) };
  });
}
