import { describe, expect, it } from 'vitest';
import { RefusedConnections, refusalLineEveryMs } from './refused-connections.ts';
import { tlsRefusalOf, tlsRefusals } from './tls-refusals.ts';

describe('connections that came to nothing', () => {
  it('are counted each, and told of once a minute for each reason', () => {
    const lines: unknown[] = [];
    const who = { peer_address: '192.0.2.1', server_name: 'a.test' };
    let nowMs = 5;
    let details = 0;
    const log = {
      debug: () => void (details += 1),
      warn: (told: object, message: string) => void lines.push([told, message]),
    };
    const refused = new RefusedConnections(log, () => nowMs);
    for (let at = 0; at < 100; at += 1) refused.tls('unrecognized_name', '192.0.2.1', 'a.test');
    refused.tls('late', '192.0.2.2', undefined);
    refused.http2('reset_flood');
    refused.reset();
    refused.full('address', '192.0.2.3');
    refused.full('address', '192.0.2.4');
    nowMs += refusalLineEveryMs;
    refused.tls('unrecognized_name', '192.0.2.1', 'a.test');
    const tls = 'TLS handshakes came to nothing';
    expect(lines).toEqual([
      [{ reason: 'unrecognized_name', code: 'unrecognized_name', ...who, connections: 1 }, tls],
      [{ reason: 'timeout', code: 'late', peer_address: '192.0.2.2', connections: 1 }, tls],
      [{ reason: 'reset_flood', connections: 1 }, 'connections of HTTP/2 were ended'],
      [
        { reason: 'address', peer_address: '192.0.2.3', connections: 1 },
        'connections were refused: there are as many as there may be',
      ],
      [{ reason: 'unrecognized_name', code: 'unrecognized_name', ...who, connections: 100 }, tls],
    ]);
    expect(refused.counts('tls').filter(([, count]) => count > 0)).toEqual([
      ['unrecognized_name', 101],
      ['timeout', 1],
    ]);
    expect(refused.counts('tls').map(([reason]) => reason)).toEqual(tlsRefusals);
    expect(refused.counts('http2')).toContainEqual(['reset_flood', 1]);
    expect(refused.counts('bounds')).toEqual([
      ['total', 0],
      ['address', 2],
    ]);
    expect(refused.resets).toBe(1);
    // Each handshake for itself, for whoever looks for one client's.
    expect(details).toBe(102);
  });

  it.each([
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'protocol_version'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'rejected_by_client'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'rejected_by_client'],
    ['ERR_SSL_NO_SHARED_CIPHER', 'no_shared_cipher'],
    ['ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE', 'client_certificate_missing'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'client_certificate_untrusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'client_certificate_untrusted'],
    ['CERT_HAS_EXPIRED', 'client_certificate_untrusted'],
    ['ECONNRESET', 'closed'],
    ['tooLong', 'malformed_hello'],
    ['ERR_SSL_BAD_RECORD_TYPE', 'other'],
  ])('have a reason for %s: %s', (code, reason) => {
    expect(tlsRefusalOf(code)).toBe(reason);
  });
});
