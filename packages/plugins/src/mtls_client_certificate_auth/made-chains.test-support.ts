import {
  makeAuthority,
  makeCertificate,
  type CertificateOrder,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { PluginBench, type BenchHost, type Ran, type TestRequest } from '../testing/plugin-bench.ts';
import { mtlsClientCertificateAuth } from './index.ts';

/** An authority that tests trust, one that it has signed, and one that nobody knows. Made once per file that needs them. */
export const root: MadeCertificate = makeAuthority({ subject: 'root' });
export const intermediate: MadeCertificate = makeAuthority({ subject: 'intermediate', issuer: root });
export const stranger: MadeCertificate = makeAuthority({ subject: 'stranger' });

/** A client's certificate by the trusted authority. */
export function clientBy(issuer: MadeCertificate, order: CertificateOrder = {}): MadeCertificate {
  return makeCertificate({ subject: 'client', issuer, ...order });
}

/** A bench that trusts {@link root}, and what else is configured. */
export function benchWith(config: object = {}, host: BenchHost = {}): PluginBench {
  return new PluginBench(mtlsClientCertificateAuth, { trusted_ca_pems: [root.pem], ...config }, host);
}

/** Presents certificates in TLS. */
export function present(
  bench: PluginBench,
  certificates: readonly Pick<MadeCertificate, 'der'>[],
  more: TestRequest = {},
): Promise<Ran> {
  return bench.request({ peerCertificates: certificates.map(({ der }) => der), ...more });
}

/** 200 for a request that goes on, otherwise the answer's status. */
export function statusOf({ result, exchange }: Ran): number {
  return result === 'continue' ? 200 : result === 'respond' ? exchange.response.status : 503;
}
