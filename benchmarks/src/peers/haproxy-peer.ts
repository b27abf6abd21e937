import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pinning } from '../machine/pinning.ts';
import { listeningPeer } from './listening-peer.ts';
import type { PeerPlace } from './listening-peer.ts';
import type { Peer } from './peer.ts';
import { apiKey, headerEdits, rateLimit } from './terms.ts';
import type { Mode } from './terms.ts';

/** HAProxy as a peer: one thread, policies in its own rules. */
export function haproxyPeer(mode: Mode, pinning: Pinning, executable: string): Peer {
  return listeningPeer(
    {
      name: 'HAProxy',
      mode,
      async configure(place) {
        const file = join(place.folder, 'haproxy.cfg');
        await writeFile(file, haproxyConfiguration(mode, place));
        return [executable, '-db', '-f', file];
      },
    },
    pinning,
  );
}

/** The text of its configuration file. */
export function haproxyConfiguration(mode: Mode, { port, upstreamPort }: Omit<PeerPlace, 'folder'>): string {
  const isPlain = mode === 'plain';
  return `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option http-keep-alive
  http-reuse always
frontend bench
  bind 127.0.0.1:${port}
${isPlain ? '' : policyRules}  default_backend upstream
backend upstream
  server upstream 127.0.0.1:${upstreamPort} pool-max-conn 1024
${isPlain ? '' : counters}`;
}

const counters = `backend counters
  stick-table type string len 64 size 10k expire ${2 * rateLimit.windowSeconds}s store http_req_rate(${rateLimit.windowSeconds}s)
`;

const policyRules = `  http-request set-var(txn.consumer) str(${apiKey.consumer}) if { req.hdr(${apiKey.header}) -m str ${apiKey.value} }
  http-request return status 401 unless { var(txn.consumer) -m found }
  http-request track-sc0 var(txn.consumer) table counters
  http-request return status 429 if { sc_http_req_rate(0) gt ${rateLimit.requests} }
  http-request set-header ${headerEdits.request.set.join(' ')}
  http-request del-header ${headerEdits.request.remove}
  http-response set-header ${headerEdits.response.set.join(' ')}
  http-response del-header ${headerEdits.response.remove}
`;
