import { hash } from 'node:crypto';
import { writeConfiguration } from '@portcullis/resources';
import type { MadeCertificate } from '@portcullis/testkit/certificates';
import type { BenchConfiguration } from '../peers/configuration.ts';
import { paths } from './protocol-terms.ts';

/** A server name with its certificate. */
export interface NamedCertificate {
  readonly name: string;
  readonly certificate: Pick<MadeCertificate, 'pem' | 'keyPem'>;
}

const gatewayId = 'gw-bench';

/** Two services, HTTP/1.1 and HTTP/2, with a route each, and a certificate for each server name. */
export function protocolConfiguration(
  upstream: { readonly port: number; readonly callsPort: number },
  names: readonly NamedCertificate[],
): BenchConfiguration {
  const service = (id: string, url: string) => ({ id, gateway_id: gatewayId, name: id, enabled: true, url });
  const route = (id: string, routePaths: readonly string[], serviceId: string) => ({
    id,
    gateway_id: gatewayId,
    name: id,
    enabled: true,
    paths: routePaths,
    path_type: 'prefix',
    service_id: serviceId,
    strip_path: false,
    plugins: [],
  });
  const written = writeConfiguration(
    { tenantId: 'bench', revision: 1 },
    {
      gateway: { id: gatewayId, name: 'bench', hosts: [] },
      services: [
        service('plain', `http://127.0.0.1:${upstream.port}`),
        service('calls', `grpc://127.0.0.1:${upstream.callsPort}`),
      ],
      routes: [
        route('plain', [paths.plain, paths.websocket, paths.events], 'plain'),
        route('calls', [paths.grpc], 'calls'),
      ],
      certificates: names.map(({ certificate }, at) => ({
        id: `crt-${at}`,
        gateway_id: gatewayId,
        cert: certificate.pem,
        key: certificate.keyPem,
      })),
      snis: names.map(({ name }, at) => ({
        id: `sni-${at}`,
        gateway_id: gatewayId,
        name,
        certificate_id: `crt-${at}`,
        client_certificate_mode: 'none',
      })),
    },
    (text) => hash('sha256', text),
  );
  return { revision: 1, ...written };
}
