import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import type { LogRecord } from '../shared/records/log-record.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, textEntry } from '../shared/sinks/emitter-hooks.ts';
import { BURST_LIMITS } from '../shared/sockets/burst-pace.ts';
import { DatagramPeer } from '../shared/sockets/datagram-peer.ts';
import { warningTimes } from '../shared/warning-times.ts';
import { config } from './config.ts';
import { DATAGRAM_BYTES_MAX, fittingRecord } from './fitting-record.ts';

/** Sends a record of each request to a server, as JSON in a datagram. */
export const udpLog: BuiltIn = builtIn({
  name: 'udp_log',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends a record of each request to a server, as JSON in a datagram',
  config,
  setup(given, services): PluginHooks {
    const { clock, log, metrics } = services;
    const peer = new DatagramPeer(given, services);
    const dropped = metrics.counter(
      'records_dropped',
      'Records that left the queue unsent, because it was full or had to end',
    );
    const sent = metrics.counter('records_sent', 'Records that the sink took');
    const failed = metrics.counter('records_failed', 'Records that the sink refused, or did not take in all tries');
    const isTime = warningTimes(clock.monotonicMs);
    const onSent = (error: Error | null): void => {
      if (error === null) return sent.add(1);
      failed.add(1);
      if (isTime()) log.warn('nobody listens at the host, and a record was lost');
    };
    const emitter = {
      settings: recordSettings(given),
      failsOnError: given.fail_on_error,
      sender: {
        send: (batch: readonly string[], signal: AbortSignal) =>
          peer.send(
            batch.map((text) => Buffer.from(text)),
            signal,
          ),
        close: () => peer.close(),
      },
      timeoutMs: given.timeout * 1000,
      limits: BURST_LIMITS,
      encode: (record: LogRecord) => {
        const text = fittingRecord(record);
        if (text !== undefined) {
          // One by one they find room at the receiver, which many at once do not. What somebody waits for goes its own way.
          if (!given.fail_on_error && peer.offer(Buffer.from(text), onSent)) return undefined;
          return textEntry(text);
        }
        dropped.add(1);
        if (isTime())
          log.warn('a record is longer than a datagram may be, and was dropped', { bytes: DATAGRAM_BYTES_MAX });
        return undefined;
      },
    };
    return emitterHooks(emitter, services);
  },
});
