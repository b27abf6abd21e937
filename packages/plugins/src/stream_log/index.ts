import type { PluginHooks, SecretSource } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import type { LogRecord } from '../shared/records/log-record.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { safeJson } from '../shared/records/safe-json.ts';
import { emitterHooks } from '../shared/sinks/emitter-hooks.ts';
import { secretHeaders, isReference } from '../shared/sinks/secret-headers.ts';
import { config, HEADER_LENGTH_MAX, type Config } from './config.ts';
import { parseBrokers } from './kafka/broker-list.ts';
import { TopicProducer, type TopicSettings } from './kafka/topic-producer.ts';
import { keyFinder } from './record-key.ts';

/** Sends a record of each request to a topic of Kafka. */
export const streamLog: BuiltIn = builtIn({
  name: 'stream_log',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends a record of each request to a topic of Kafka',
  config,
  readsReferences: true,
  setup(given, services): PluginHooks {
    const library = import('@platformatic/kafka');
    // Whoever sends hears of it.
    library.catch(() => undefined);
    const settings = topicSettings(given, services.secrets);
    const headerBytes = headerBytesOf(given.kafka_headers);
    const keyOf = keyFinder(given.key_field);
    const emitter = {
      settings: recordSettings(given),
      failsOnError: given.fail_on_error,
      sender: new TopicProducer(settings, services, library),
      timeoutMs: given.timeout * 1000,
      limits: { batchBytesMax: BATCH_BYTES_MAX, flushMsMax: given.flush_timeout * 1000 },
      encode: (record: LogRecord) => {
        const message = { key: keyOf(record), value: safeJson(JSON.stringify(record)) };
        return { entry: message, bytes: Buffer.byteLength(message.value) + (message.key?.length ?? 0) + headerBytes };
      },
    };
    return emitterHooks(emitter, services);
  },
});

/** Bytes of a batch. Brokers take 1 MiB of one, headers included, where nothing else is said. */
const BATCH_BYTES_MAX = 512 * 1024;

/** Of one message, in bytes. What a reference stands for is not known yet. */
function headerBytesOf(headers: Config['kafka_headers']): number {
  const bytes = (text: string): number => (isReference(text) ? HEADER_LENGTH_MAX : Buffer.byteLength(text));
  return Object.entries(headers).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytes(value), 0);
}

function topicSettings(given: Config, secrets: SecretSource): TopicSettings {
  const acks = given.acks === 'all' ? -1 : Number(given.acks);
  return {
    brokers: parseBrokers(given.bootstrap_servers),
    topic: given.topic,
    clientId: given.client_id,
    acks: acks as TopicSettings['acks'],
    compression: given.compression_type,
    headers: secretHeaders(given.kafka_headers, secrets),
    timeoutMs: given.timeout * 1000,
  };
}
