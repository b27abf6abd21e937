import { BlockList, isIP } from 'node:net';
import { parseServiceUrl } from '@portcullis/resources';
import { textOf } from '../linted-bundle.ts';
import type { LintRule } from '../rule.ts';

/** Addresses that are never routed on the internet. Source: RFC 1918, 4193, 3927, 4291, 6598. */
const inside = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}
inside.addSubnet('169.254.0.0', 16, 'ipv4');
inside.addSubnet('100.64.0.0', 10, 'ipv4');
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');
inside.addAddress('::1', 'ipv6');

/** Names that public DNS does not have. Source: RFC 6761, 6762, 8375; ICANN's `.internal`. */
const localName = /(?:^|\.)(?:localhost|local|internal|lan|test|home\.arpa|svc|cluster)$/;

/** Everybody on the way reads and changes what goes there. */
export const publicHttp: LintRule = {
  id: 'public-http',
  description: 'A service is reached without TLS at a public host',
  severity: 'warning',
  check: ({ records }) =>
    records('services').flatMap((record) => {
      const address = parseServiceUrl(textOf(record.values, 'url') ?? '');
      const isPlain = address?.protocol === 'http' || address?.protocol === 'grpc';
      if (!address || !isPlain || isInside(address.host)) return [];
      return [{ record, at: '/url', message: 'goes over the internet without TLS' }];
    }),
};

function isInside(host: string): boolean {
  const literal = host.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  if (family !== 0) return inside.check(literal, family === 4 ? 'ipv4' : 'ipv6');
  // A name without a dot is one of the own network.
  return !host.includes('.') || localName.test(host);
}
