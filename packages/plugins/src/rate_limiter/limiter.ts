import { hash } from 'node:crypto';
import {
  noSharedStore,
  sharedStoreFailure,
  type PluginServices,
  type SharedStoreFailure,
  type Timers,
} from '@portcullis/plugin-runtime';
import { calendarClock } from '../shared/limits/calendar-clock.ts';
import { crowdedWarning } from '../shared/limits/limit-answers.ts';
import { limitByOf } from '../shared/limits/limit-fields.ts';
import type { LimitWindow } from '../shared/limits/limit-window.ts';
import { RedisLimits, type RedisLimitsOptions } from '../shared/limits/redis/redis-limits.ts';
import { StoreWatch } from '../shared/limits/redis/store-watch.ts';
import { warningTimes } from '../shared/warning-times.ts';
import { SyncedLimits } from '../shared/limits/redis/synced-limits.ts';
import { RequestLimits, type LimitStanding } from '../shared/limits/request-limits.ts';
import type { Config } from './config.ts';

/** What decides and counts requests. */
export interface Limiter {
  /** @returns the standings, or a promise of them where a store is asked; it rejects when the store fails */
  take(client: string): Standings;
  /** Tells the others the rest. No requests come any more. */
  dispose?(): Promise<void> | undefined;
}

/** The limiter that a config asks for. */
export function createLimiter(settings: Config, windows: readonly LimitWindow[], services: PluginServices): Limiter {
  const { clock, log, sharedStore, instance } = services;
  const nowMs = calendarClock(clock);
  const isSliding = settings.strategy.startsWith('sliding');
  const onCrowded = crowdedWarning('rate_limiter', log, nowMs);
  const local = new RequestLimits({ windows, isSliding, onCrowded });
  if (settings.policy === 'local') return { take: (client) => local.take(client, nowMs()) };

  const isTolerant = settings.fault_tolerant;
  const warn = outageWarning(services, nowMs, isTolerant);
  if (sharedStore === noSharedStore) warn('no_store');
  const common = { windows, isSliding, store: sharedStore, instanceId: instance.id };
  const nameOf = storeName(settings);
  const store = settings.sync_rate > 0 ? syncedStore(settings, services, { ...common, nowMs }) : exactStore(common);
  const { dispose } = store;
  if (!isTolerant) {
    const take = (client: string): Standings => {
      const standings = store.take(nameOf(client));
      return isPromise(standings) ? standings.catch(rethrow(warn)) : standings;
    };
    return { take, dispose };
  }
  const watch = new StoreWatch({ store: sharedStore, monotonicMs: () => clock.monotonicMs(), timers });
  return {
    take(client) {
      const name = nameOf(client);
      const alone = (failure: SharedStoreFailure): readonly LimitStanding[] => {
        warn(failure);
        return local.take(client, nowMs());
      };
      if (watch.isSilent() && !store.knows(name)) return alone('timeout');
      const standings = store.take(name);
      return isPromise(standings) ? watch.wait(standings, alone) : standings;
    },
    dispose,
  };
}

type Standings = readonly LimitStanding[] | Promise<readonly LimitStanding[]>;

/** A way to count in the shared store. */
interface CountingStore {
  take(name: string): Standings;
  /** Whether a request is decided without a question. */
  knows(name: string): boolean;
  readonly dispose: () => Promise<void> | undefined;
}

function exactStore(options: RedisLimitsOptions): CountingStore {
  const limits = new RedisLimits(options);
  return { take: (name) => limits.take(name), knows: () => false, dispose: () => undefined };
}

function syncedStore(
  settings: Config,
  { newId }: PluginServices,
  options: RedisLimitsOptions & { readonly nowMs: () => number },
): CountingStore {
  const everyMs = settings.sync_rate * 1000;
  const limits = new SyncedLimits({ ...options, processId: newId(), everyMs, timers });
  return { take: (name) => limits.take(name), knows: (name) => limits.knows(name), dispose: () => limits.stop() };
}

/** Of the process, and none that keeps it from ending. */
const timers: Timers = {
  set: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

function isPromise(standings: Standings): standings is Promise<readonly LimitStanding[]> {
  return standings instanceof Promise;
}

function rethrow(warn: (failure: string) => void): (error: unknown) => never {
  return (error) => {
    const failure = sharedStoreFailure(error);
    if (failure !== undefined) warn(failure);
    throw error;
  };
}

/**
 * The name of a client in the store. What headers say may be a secret, and a store's keys are read by many eyes: those are
 * there as a hash. All others are short, or hashed, already.
 */
function storeName(settings: Config): (client: string) => string {
  const isSecret = limitByOf(settings) === 'header';
  return isSecret ? (client) => hash('sha256', client, 'base64url') : (client) => client;
}

function outageWarning({ log }: PluginServices, nowMs: () => number, isTolerant: boolean): (failure: string) => void {
  const consequence = isTolerant ? 'requests are counted by this process alone' : 'requests are refused with 503';
  const isTime = warningTimes(nowMs);
  return (failure) => {
    if (!isTime()) return;
    const cause =
      failure === 'no_store'
        ? 'rate_limiter has policy redis, and the gateway has no Redis (PORTCULLIS_REDIS_URL)'
        : 'rate_limiter does not reach Redis';
    log.warn(`${cause}: ${consequence}`, { failure });
  };
}
