import type { Awaitable, Clock, Outbound } from '@portcullis/plugin-runtime';
import type * as Kafka from '@platformatic/kafka';
import { SendError, type RecordSender } from '../../shared/sinks/record-sender.ts';
import type { PeerTarget } from '../../shared/sockets/connect-to.ts';
import { guardConnections } from './guarded-connections.ts';
import { KafkaClient } from './kafka-client.ts';
import { refusalOf } from './refusals.ts';

/** The client library. Loaded when it is needed: it takes 60 MB. */
export type KafkaLibrary = typeof Kafka;

/** How messages of a topic are sent. */
export interface TopicSettings {
  readonly brokers: readonly PeerTarget[];
  readonly topic: string;
  readonly clientId: string;
  /** 0: none; 1: the leader's; -1: of all replicas in sync. */
  readonly acks: 0 | 1 | -1;
  readonly compression: 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';
  /** Of every message: name and value by turns. Asked for with each batch. */
  readonly headers: (signal: AbortSignal) => Awaitable<readonly string[]>;
  /** For each step: connecting, and each question to a broker. */
  readonly timeoutMs: number;
}

/** A message. Those with the same key go to the same partition; those without take turns. */
export interface TopicMessage {
  readonly key: string | undefined;
  readonly value: string;
}

/** Sends messages to a topic. The client is made with the first ones, and anew after it failed. */
export class TopicProducer implements RecordSender<TopicMessage> {
  readonly #settings: TopicSettings;
  readonly #outbound: Outbound;
  readonly #clock: Clock;
  readonly #library: Promise<KafkaLibrary>;
  #client: KafkaClient | undefined;

  constructor(
    settings: TopicSettings,
    { outbound, clock }: { readonly outbound: Outbound; readonly clock: Clock },
    library: Promise<KafkaLibrary>,
  ) {
    this.#settings = settings;
    this.#outbound = outbound;
    this.#clock = clock;
    this.#library = library;
  }

  async send(batch: readonly TopicMessage[], signal: AbortSignal): Promise<void> {
    const [library, headers] = await Promise.all([this.#library, this.#headers(signal)]);
    // Nobody would let go of a client that is made now.
    if (signal.aborted) throw new SendError('the client library or a secret takes too long', true);
    const { topic, acks, compression } = this.#settings;
    const messages = batch.map(({ key, value }): Kafka.MessageToProduce => {
      const keyed = key === undefined ? {} : { key: Buffer.from(key) };
      return { topic, value: Buffer.from(value), headers, ...keyed };
    });
    const client = (this.#client ??= this.#open(library));
    try {
      const taken = await client.run(
        client.producer.send({ messages, acks, compression, autocreateTopics: true }),
        signal,
      );
      if (acks !== 0 && (taken.offsets ?? []).length === 0) throw new SendError('the brokers confirm nothing', true);
    } catch (error) {
      // Who leads may have changed, and the client asks again by itself only when it is told so.
      client.producer.clearMetadata();
      if (client.isSpent) this.#letGo(client);
      throw refusalOf(error, library);
    }
  }

  async close(): Promise<void> {
    if (this.#client !== undefined) this.#letGo(this.#client);
    await this.#library.catch(() => undefined);
  }

  async #headers(signal: AbortSignal): Promise<Map<Buffer, Buffer>> {
    const lines = await this.#settings.headers(signal);
    const headers = new Map<Buffer, Buffer>();
    for (let at = 0; at + 1 < lines.length; at += 2)
      headers.set(Buffer.from(lines[at] ?? ''), Buffer.from(lines[at + 1] ?? ''));
    return headers;
  }

  #letGo(client: KafkaClient): void {
    if (this.#client === client) this.#client = undefined;
    client.end();
  }

  #open(library: KafkaLibrary): KafkaClient {
    const { brokers, clientId, timeoutMs } = this.#settings;
    const producer = new library.Producer({
      clientId,
      bootstrapBrokers: brokers.map(({ host, port }) => ({ host, port })),
      connectTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      timeout: timeoutMs,
      // Whoever sends tries again, with growing waits.
      retries: 0,
      metadataMaxAge: METADATA_MS,
    });
    const client = new KafkaClient(producer, this.#clock, timeoutMs);
    guardConnections(producer.connections, {
      outbound: this.#outbound,
      signal: client.signal,
      refusal: (message, cause) => new library.NetworkError(message, cause instanceof Error ? { cause } : {}),
      onFault: (error) => client.fail(error),
    });
    return client;
  }
}

/** For how long the client goes by what it knows of a topic, in milliseconds. A leader that moved is noticed at once. */
const METADATA_MS = 60_000;
