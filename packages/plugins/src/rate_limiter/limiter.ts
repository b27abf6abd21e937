import { hash } from 'node:crypto';
import { noSharedStore, SharedStoreError, sharedStoreFailure, type PluginServices } from '@portcullis/plugin-runtime';
import { calendarClock } from '../shared/limits/calendar-clock.ts';
import { crowdedWarning } from '../shared/limits/limit-answers.ts';
import type { LimitWindow } from '../shared/limits/limit-window.ts';
import { RedisLimits } from '../shared/limits/redis/redis-limits.ts';
import { SyncedLimits } from '../shared/limits/redis/synced-limits.ts';
import { RequestLimits, type LimitStanding } from '../shared/limits/request-limits.ts';
import type { Config } from './config.ts';

/** What decides and counts requests. */
export interface Limiter {
  /** @returns the standings, or a promise of them where a store is asked; it rejects when the store fails */
  take(client: string): readonly LimitStanding[] | Promise<readonly LimitStanding[]>;
  dispose?(): void;
}

/** The limiter that a config asks for. */
export function createLimiter(settings: Config, windows: readonly LimitWindow[], services: PluginServices): Limiter {
  const { clock, log, sharedStore, instance, newId } = services;
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
  if (settings.sync_rate > 0) {
    const synced = new SyncedLimits({ ...common, processId: newId(), onCrowded });
    return syncedLimiter(synced, settings.sync_rate * 1000, { nowMs, nameOf, isTolerant, warn });
  }
  const shared = new RedisLimits(common);
  return {
    take: (client) =>
      shared.take(nameOf(client)).catch((error: unknown) => {
        const failure = sharedStoreFailure(error);
        if (!isTolerant || failure === undefined) throw error;
        warn(failure);
        return local.take(client, nowMs());
      }),
  };
}

interface SyncedParts {
  readonly nowMs: () => number;
  readonly nameOf: (client: string) => string;
  readonly isTolerant: boolean;
  readonly warn: (failure: string) => void;
}

function syncedLimiter(synced: SyncedLimits, everyMs: number, parts: SyncedParts): Limiter {
  const { nowMs, nameOf, isTolerant, warn } = parts;
  let isUnderWay = false;
  const sync = async (): Promise<void> => {
    if (isUnderWay) return;
    isUnderWay = true;
    await synced.sync(nowMs);
    isUnderWay = false;
    if (!synced.isInTouch) warn('unavailable');
  };
  const timer = setInterval(() => void sync(), everyMs).unref();
  return {
    take(client) {
      if (!synced.isInTouch && !isTolerant) {
        throw new SharedStoreError('unavailable', 'the other processes could not be told what was counted');
      }
      return synced.take(nameOf(client), nowMs());
    },
    dispose() {
      clearInterval(timer);
      void sync(); // What was counted since counts for those that go on.
    },
  };
}

/**
 * The name of a client in the store. What headers say may be a secret, and a store's keys are read by many eyes: those are
 * there as a hash. All others are short, or hashed, already.
 */
function storeName({ limit_by: limitBy, identifier }: Config): (client: string) => string {
  const isSecret = (limitBy ?? identifier) === 'header';
  return isSecret ? (client) => hash('sha256', client, 'base64url') : (client) => client;
}

/** Time between two warnings of one instance. */
const WARNING_INTERVAL_MS = 60_000;

function outageWarning({ log }: PluginServices, nowMs: () => number, isTolerant: boolean): (failure: string) => void {
  const consequence = isTolerant ? 'requests are counted by this process alone' : 'requests are refused with 503';
  let nextMs = 0;
  return (failure) => {
    const moment = nowMs();
    if (moment < nextMs) return;
    nextMs = moment + WARNING_INTERVAL_MS;
    const cause =
      failure === 'no_store'
        ? 'rate_limiter has policy redis, and the gateway has no Redis (PORTCULLIS_REDIS_URL)'
        : 'rate_limiter does not reach Redis';
    log.warn(`${cause}: ${consequence}`, { failure });
  };
}
