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

/** A store of the process, and a way to it for each tenant. */
export interface ProcessStore {
  readonly isConnected: boolean;
  /** Calls that failed since the process began. */
  readonly failedCalls: number;
  /** The store as the plugins of one tenant see it, whatever gateway they run in: its keys are nobody else's. */
  storeOf(tenantId: string): SharedStore;
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
  #isGathering = false;
  /** Whether the server of this connection takes writes, as far as it says. */
  #isPrimary = false;
  #failedCalls = 0;
  /** Why there is no connection, as the log was told last; empty while there is one. */
  #reason: string | undefined;

  constructor({ address, random, log }: RedisStoreParts) {
    const backoff = new Backoff(random);
    this.#log = log;
    this.#redis = new Redis(redisOptions(address, () => backoff.next()));
    this.#redis.on('ready', () => this.#meet(() => backoff.reset()));
    this.#redis.on('error', (error: unknown) => this.#lost(failureReason(error)));
    this.#redis.on('close', () => {
      this.#isPrimary = false;
      this.#lost('the connection is closed');
    });
    this.#redis.connect().catch(() => undefined); // The listeners above hear of it.
  }

  get isConnected(): boolean {
    return this.#isPrimary && this.#redis.status === 'ready';
  }

  get failedCalls(): number {
    return this.#failedCalls;
  }

  storeOf(tenantId: string): SharedStore {
    const prefix = keyPrefix(tenantId);
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

  #run(
    script: StoreScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    { timeoutMs, signal }: StoreCallOptions,
  ): Promise<unknown> {
    const refusal = this.#refusal(signal);
    if (refusal !== undefined) return Promise.reject(this.#failed(refusal, script));
    this.#waiting += 1;
    // One promise and no further one between here and the client: this is the way of each request that is counted.
    return new Promise((resolve, reject) => {
      let isOver = false;
      const refuse = (error: unknown): void => {
        if (isOver) return;
        isOver = true;
        reject(this.#failed(error, script));
      };
      const late = (): void => refuse(new SharedStoreError('timeout', 'Redis did not answer in time'));
      const timer = setTimeout(late, timeoutMs);
      signal?.addEventListener('abort', late, { once: true });
      // The place is given back when the client has let go of the call, however late.
      const end = (): void => {
        this.#waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', late);
      };
      const answered = (answer: unknown): void => {
        end();
        resolve(answer);
      };
      const failed = (error: unknown): void => {
        end();
        refuse(error);
      };
      this.#gather();
      this.#redis.evalsha(this.#digestOf(script), keys.length, ...keys, ...args).then(answered, (error: unknown) => {
        // Redis does not know the script: the first time, and after it began anew. Then the text goes along.
        if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) failed(error);
        else this.#redis.eval(script.lua, keys.length, ...keys, ...args).then(answered, failed);
      });
    });
  }

  /** Calls of one turn of the event loop go as one write, however many are under way: a write for each costs more than the calls. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.#redis;
    stream.cork();
    setImmediate(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /** Why a call is not even sent. */
  #refusal(signal: AbortSignal | undefined): SharedStoreError | undefined {
    if (!this.isConnected) return new SharedStoreError('unavailable', 'there is no connection to Redis');
    if (this.#waiting >= callsMax) return new SharedStoreError('unavailable', `${callsMax} calls wait for Redis`);
    return signal?.aborted === true ? new SharedStoreError('timeout', 'the call was ended before it began') : undefined;
  }

  /** The error that a caller gets. The client's own is left behind: it has the command and its arguments on it. */
  #failed(error: unknown, script: StoreScript): SharedStoreError {
    this.#failedCalls += 1;
    if (error instanceof SharedStoreError) return error;
    if (isReply(error)) return new SharedStoreError('failed', `Redis refused ${script.name}: ${failureReason(error)}`);
    return new SharedStoreError('unavailable', `the connection to Redis broke: ${failureReason(error)}`);
  }

  #digestOf(script: StoreScript): string {
    let digest = this.#digests.get(script);
    if (digest === undefined) this.#digests.set(script, (digest = hash('sha1', script.lua)));
    return digest;
  }

  /**
   * Asks a server what it is before anything is counted in it. A replica is left again, and the next try waits longer: its name may lead to
   * the primary by then. One that does not say is taken for a primary.
   */
  #meet(begin: () => void): void {
    const meet = (said: string): void => {
      if (/^role:(?!master)/m.test(said)) {
        this.#lost('READONLY');
        this.#redis.disconnect(true);
        return;
      }
      begin();
      this.#isPrimary = true;
      this.#reason = '';
      this.#log.info({}, 'connected to Redis');
    };
    this.#redis.info('replication').then(meet, (error: unknown) => {
      if (isReply(error)) meet('');
    });
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
