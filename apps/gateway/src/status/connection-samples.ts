import type { RefusedConnections } from '../listeners/refused-connections.ts';
import type { Sample } from './metric-samples.ts';

/** A counter of connections that came to nothing. */
export interface RefusalFamily {
  readonly name: string;
  readonly help: string;
  readonly samples: () => readonly Sample[];
}

/** What is counted of connections before they are requests. Every reason is there from the start, so that a first one shows as a rise. */
export function refusalFamilies(
  refused: () => Pick<RefusedConnections, 'counts' | 'resets'>,
): readonly RefusalFamily[] {
  const byReason = (name: string, of: 'tls' | 'http2' | 'bounds') => (): readonly Sample[] =>
    refused()
      .counts(of)
      .map(([reason, value]) => ({ labels: { reason }, value, metricName: name }));
  const bounds = 'gateway_connections_refused_total';
  const tls = 'gateway_tls_refusals_total';
  const http2 = 'gateway_http2_refusals_total';
  const resets = 'gateway_http2_stream_resets_total';
  return [
    {
      name: bounds,
      help: 'Connections beyond the bounds of all, or of one address',
      samples: byReason(bounds, 'bounds'),
    },
    { name: tls, help: 'Connections that did not get through TLS', samples: byReason(tls, 'tls') },
    { name: http2, help: 'Connections of HTTP/2 that the gateway ended', samples: byReason(http2, 'http2') },
    {
      name: resets,
      help: 'Streams of HTTP/2 without a whole answer',
      samples: () => [{ labels: {}, value: refused().resets, metricName: resets }],
    },
  ];
}
