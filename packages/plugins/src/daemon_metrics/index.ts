import type { Exchange, PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import type { LogRecord } from '../shared/records/log-record.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, textEntry } from '../shared/sinks/emitter-hooks.ts';
import { BURST_BYTES_MAX } from '../shared/sockets/burst-pace.ts';
import { DatagramPeer } from '../shared/sockets/datagram-peer.ts';
import { config, type Config } from './config.ts';
import { packLines } from './datagrams.ts';
import { dialects } from './dialects.ts';
import { lineMaker } from './metric-lines.ts';
import { tagList } from './tags.ts';

/** Where the lines of a request are left: a list of text. */
export const LINES_KEY = 'daemon_metrics:lines';

/** Sends counts, times and sizes of each request to a StatsD server. */
export const daemonMetrics: BuiltIn = builtIn({
  name: 'daemon_metrics',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends counts, times and sizes of each request to a StatsD server',
  config,
  setup(given, services): PluginHooks {
    const { log, random } = services;
    const { sample_rate: rate, dry_run: isDry, capture_to_state: isCaptured } = given;
    const linesOf = lineMaker(lineSettings(given));
    const peer = new DatagramPeer(given, services);
    const emitter = {
      settings: recordSettings({ include_headers: false }),
      failsOnError: false,
      sender: {
        send: (batch: readonly string[], signal: AbortSignal) =>
          peer.send(packLines(batch.flatMap((lines) => lines.split('\n'))), signal),
        close: () => peer.close(),
      },
      timeoutMs: given.timeout * 1000,
      limits: { batchBytesMax: BURST_BYTES_MAX },
      encode: (record: LogRecord, exchange: Exchange) => {
        if (rate < 1 && random() >= rate) return undefined;
        const { gateway, service, route } = exchange.facts;
        const names = { gateway: gateway.name, service: service?.name, route: route?.name };
        const lines = linesOf(record, names);
        if (isCaptured) capture(exchange, lines);
        if (!isDry) return textEntry(lines.join('\n'));
        log.debug('the metrics of a request, which are not sent', { lines: lines.join(' ') });
        return undefined;
      },
    };
    return emitterHooks(emitter, services);
  },
});

function lineSettings(given: Config) {
  const dialect = dialects[given.tag_format];
  return {
    namespace: given.namespace,
    dialect,
    tags: tagList(given.tags ?? []),
    hasRouteTags: given.include_route_tags ?? dialect.hasTags,
    sampleRate: given.sample_rate,
  };
}

/** Several instances leave theirs one after the other. */
function capture({ state }: Exchange, lines: readonly string[]): void {
  const before = state.get(LINES_KEY);
  state.set(LINES_KEY, Array.isArray(before) ? [...(before as readonly string[]), ...lines] : lines);
}
