import { request } from 'node:http';
import { plainConnection, secureConnection } from './probe-connection.ts';
import { probeAuthority } from './probe.ts';
import type { ProbeKind } from './run-probe.ts';

/** GET over HTTP/1.1; the status is the answer, the body is not waited for. */
export const httpProbe: ProbeKind = (parts, plan, address, sink) => {
  const socket =
    plan.type === 'https' ? secureConnection(parts, address, plan, ['http/1.1']) : plainConnection(parts, address);
  const call = request({
    createConnection: () => socket,
    method: 'GET',
    path: plan.path,
    setHost: false,
    headers: { ...headersOf(plan.headers), host: probeAuthority(plan, address), connection: 'close' },
  });
  call.on('response', (response) => {
    response.on('error', () => undefined); // The status has said it all.
    sink.onStatus(response.statusCode ?? 0);
  });
  call.on('error', (error) => sink.onError(error));
  call.on('upgrade', () => sink.onStatus(101));
  call.end();
  return () => {
    call.destroy();
    socket.destroy();
  };
};

/** Fields that say how the probe itself is framed, or whom it asks, are not the record's to give. */
const ownFields = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te']);

/** Fields of a probe that its record may give. Text beyond ASCII goes as the bytes of its UTF-8. */
export function headersOf(headers: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const allowed = Object.entries(headers).filter(([name]) => !ownFields.has(name.toLowerCase()));
  return Object.fromEntries(allowed.map(([name, values]) => [name.toLowerCase(), values.map(asBytes)]));
}

function asBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}
