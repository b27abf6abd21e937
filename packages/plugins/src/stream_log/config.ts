import * as v from 'valibot';
import { choice, configObject, text } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';
import { recordFields, recordSettings } from '../shared/records/record-fields.ts';
import { SINK_LIMITS } from '../shared/sinks/sink-limits.ts';
import { sinkFields, timeoutField } from '../shared/sinks/sink-fields.ts';
import { BOOTSTRAP_MAX, BROKER_LENGTH_MAX, brokerEntries, parseBroker } from './kafka/broker-list.ts';
import { KEY_FIELD, keyFieldFault } from './record-key.ts';

/** Longest name and value of a header of a message, in characters. */
export const HEADER_LENGTH_MAX = 1024;

/** Most headers of a message, and their characters together: each message has them. */
export const HEADERS_MAX = 32;
export const HEADERS_LENGTH_MAX = 4096;

/** Longest time that an instance which ends may go on sending, in seconds. */
export const FLUSH_SECONDS_MAX = 60;

const notBroker = 'must be host, host:port or [IPv6]:port';

const brokerList = v.pipe(
  v.array(
    v.pipe(
      v.string(notBroker),
      v.maxLength(BROKER_LENGTH_MAX, `must have at most ${BROKER_LENGTH_MAX} characters`),
      v.check((entry) => parseBroker(entry.trim()) !== undefined, notBroker),
    ),
    'must be a list of brokers',
  ),
  v.minLength(1, 'must not be empty'),
  v.maxLength(BOOTSTRAP_MAX, `must have at most ${BOOTSTRAP_MAX} entries`),
);

const brokerText = v.pipe(
  v.string('must be text'),
  v.maxLength(BOOTSTRAP_MAX * (BROKER_LENGTH_MAX + 2), 'must be shorter'),
  v.check((given) => brokerEntries(given).length <= BOOTSTRAP_MAX, `must have at most ${BOOTSTRAP_MAX} entries`),
  v.check(
    (given) => brokerEntries(given).every((entry) => parseBroker(entry) !== undefined),
    `${notBroker}, with commas`,
  ),
);

const headerText = (message: string, lengthMin: number) =>
  v.pipe(
    v.string(message),
    v.minLength(lengthMin, message),
    v.maxLength(HEADER_LENGTH_MAX, `must have at most ${HEADER_LENGTH_MAX} characters`),
    // oxlint-disable-next-line no-control-regex -- they are what is refused
    v.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must have no control character'),
  );

const fields = configObject({
  bootstrap_servers: v.pipe(
    v.union([brokerText, brokerList], 'must be a list of brokers, or text with commas between them'),
    v.description(
      'Brokers to begin with, `host:port`, as a list or as text with commas; port 9092 where there is none',
    ),
  ),
  topic: v.pipe(
    text('The topic that takes the records', 249),
    v.regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/, 'must be letters, digits, dots, underscores and hyphens'),
  ),
  acks: v.optional(
    v.pipe(
      v.picklist(['all', -1, 1, 0, '-1', '1', '0'], 'must be one of all, -1, 1, 0'),
      v.description(
        'Whose word counts that a record was taken: `all` replicas in sync (`-1`), the leader (`1`), or nobody (`0`)',
      ),
    ),
    'all',
  ),
  compression_type: v.optional(choice('How batches are compressed', ['none', 'gzip', 'snappy', 'lz4', 'zstd']), 'none'),
  client_id: v.optional(
    v.pipe(
      text('What the brokers know this client by', 255),
      v.regex(/^[\w.:/@-]+$/, 'must be letters, digits and . _ - : / @'),
    ),
    'portcullis',
  ),
  key_field: v.optional(
    v.pipe(
      text('Field of the record whose value is the key of the message (`consumer.id`); absent: no key', 256),
      v.regex(KEY_FIELD, 'must be names of fields with dots between them'),
    ),
  ),
  kafka_headers: v.optional(
    v.pipe(
      v.record(
        headerText('must be a header name', 1),
        v.pipe(headerText('must be text', 0), v.metadata({ 'x-secret': true })),
        'must be a map from header name to value',
      ),
      v.maxEntries(HEADERS_MAX, `must have at most ${HEADERS_MAX} entries`),
      v.check(
        (given) =>
          Object.entries(given).reduce((sum, [name, value]) => sum + name.length + value.length, 0) <=
          HEADERS_LENGTH_MAX,
        `must have at most ${HEADERS_LENGTH_MAX} characters together`,
      ),
      v.description(
        'Headers of every message, name to value; a value may be a reference, `vault://prefix/secret` or `env://NAME`',
      ),
    ),
    {},
  ),
  timeout: timeoutField('Longest time for a batch: for each step of it, and for all together, in seconds'),
  flush_timeout: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(FLUSH_SECONDS_MAX, `must be at most ${FLUSH_SECONDS_MAX}`),
      v.description('How long an instance that ends goes on sending what waits, in seconds'),
    ),
    SINK_LIMITS.flushMsMax / 1000,
  ),
  ...sinkFields,
  ...recordFields,
});

/** Config of `stream_log`. */
export const config = crossFieldRule(fields, keyIssues);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function keyIssues(given: v.InferOutput<typeof fields>): readonly CrossFieldIssue[] {
  if (given.key_field === undefined) return [];
  const message = keyFieldFault(given.key_field, recordSettings(given).headers);
  return message === undefined ? [] : [{ field: 'key_field', message }];
}
