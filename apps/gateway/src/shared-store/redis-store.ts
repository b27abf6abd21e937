import { hash } from 'node:crypto';
import {
  SharedStoreError,
  type SharedStore,
  type StoreCallOptions,
  type StoreScript,
} from '@portcullis/plugin-runtime';
import { Redis } from 'ioredis';
import { Backoff } from '../control-plane/backoff.ts';
import type { RedisAddress } from './redis-address.ts';
import { redisOptions } from './redis-options.ts';
import { failureReason } from './failure-reason.ts';
import { keyPrefix } from './key-prefix.ts';

/** Calls that wait for their answers at a time; more fail at once. */
export const callsMax = 8192;

/** What the store is made of. */
export interface RedisStoreParts {
  readonly address: RedisAddress;
  readonly random: () => number;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

/** A store of the process, and a way to it for each gateway. */
export interface ProcessStore {
  readonly isConnected: boolean;
  /** Calls that failed since the process began. */
  readonly failedCalls: number;
  /** The store as the plugins of one gateway see it: its keys are nobody else's. */
  storeOf(tenantId: string, gatewayId: string): SharedStore;
  close(): void;
}

/**
 * The process's connection to Redis. It connects by itself, again and again, and whoever calls meanwhile is told so at once.
 * All plugins share one connection: Redis runs one script at a time anyway.
 */
export class RedisStore implements ProcessStore {
  readonly #redis: Redis;
  readonly #log: RedisStoreParts['log'];
  readonly #digests = new WeakMap<StoreScript, string>();
  #waiting = 0;
  #failedCalls = 0;
  /** Why there is no connection, as the log was told last; empty while there is one. */
  #reason: string | undefined;

  constructor({ address, random, log }: RedisStoreParts) {
    const backoff = new Backoff(random);
    this.#log = log;
    this.#redis = new Redis(redisOptions(address, () => backoff.next()));
    this.#redis.on('ready', () => {
      backoff.reset();
      this.#reason = '';
      log.info({}, 'connected to Redis');
    });
    this.#redis.on('error', (error: unknown) => this.#lost(failureReason(error)));
    this.#redis.on('close', () => this.#lost('the connection is closed'));
    this.#redis.connect().catch(() => undefined); // The listeners above hear of it.
  }

  get isConnected(): boolean {
    return this.#redis.status === 'ready';
  }

  get failedCalls(): number {
    return this.#failedCalls;
  }

  storeOf(tenantId: string, gatewayId: string): SharedStore {
    const prefix = keyPrefix(tenantId, gatewayId);
    return {
      run: (script, keys, args, options) =>
        this.#run(
          script,
          keys.map((key) => prefix + key),
          args,
          options,
        ),
    };
  }

  close(): void {
    this.#redis.removeAllListeners('close');
    this.#redis.disconnect();
  }

  async #run(
    script: StoreScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    { timeoutMs, signal }: StoreCallOptions,
  ): Promise<unknown> {
    try {
      if (!this.isConnected) throw new SharedStoreError('unavailable', 'there is no connection to Redis');
      if (this.#waiting >= callsMax) throw new SharedStoreError('unavailable', `${callsMax} calls wait for Redis`);
      this.#waiting += 1;
      const answer = this.#evaluate(script, keys, args).finally(() => (this.#waiting -= 1));
      return await inTime(answer, timeoutMs, signal);
    } catch (error) {
      this.#failedCalls += 1;
      if (error instanceof SharedStoreError) throw error;
      // The error itself is left behind: the client hangs the command and its arguments on it.
      if (isReply(error)) throw new SharedStoreError('failed', `Redis refused ${script.name}: ${failureReason(error)}`);
      throw new SharedStoreError('unavailable', `the connection to Redis broke: ${failureReason(error)}`);
    }
  }

  /** By the script's digest; its text goes along when Redis does not know it: the first time, and after Redis began anew. */
  async #evaluate(script: StoreScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    let digest = this.#digests.get(script);
    if (digest === undefined) this.#digests.set(script, (digest = hash('sha1', script.lua)));
    try {
      return await this.#redis.evalsha(digest, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#redis.eval(script.lua, keys.length, ...keys, ...args);
    }
  }

  /** A line for each new reason, not for each try. */
  #lost(reason: string): void {
    const isNews = this.#reason === undefined || this.#reason === '';
    if (!isNews) return;
    this.#reason = reason;
    this.#log.warn({ reason }, 'no connection to Redis: shared counters are not available');
  }
}

/** Answers of Redis that say no; all other errors are of the connection. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

function inTime<Value>(answer: Promise<Value>, timeoutMs: number, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new SharedStoreError('timeout', 'Redis did not answer in time'));
    const timer = setTimeout(late, timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', late);
    };
    if (signal?.aborted === true) late();
    signal?.addEventListener('abort', late, { once: true });
    answer.then(resolve, reject).finally(done);
  });
}
