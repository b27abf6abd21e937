import {
  createLocalLimits,
  createRouter,
  createSharedLimits,
  namedEntries,
  readAiRecords,
  readConsumerPolicies,
  readGroupPolicies,
  readModelRoutes,
  readProvider,
  type AiLimits,
  type AnswerStore,
  cacheOf,
  type CacheSettings,
  type ModelRoute,
  type Router,
  type RouterOptions,
  systemTimers,
  TargetOrder,
} from '@portcullis/ai-router';
import { noSharedStore, type AiRecord, type PluginServices } from '@portcullis/plugin-runtime';
import { ProcessSpaces } from '../shared/process-spaces.ts';
import { AnswerCaches, answerMemory } from './answer-caches.ts';
import type { Config } from './config.ts';
import { routerGuards } from './guard-fields.ts';

/** What all instances of a tenant know together: what was used up, how fast targets are, where weighted routes are in their sequence. */
interface TenantSpace {
  readonly ordering: TargetOrder;
  readonly limits: AiLimits;
  /** Answers in this process's memory. */
  readonly answers: AnswerStore;
}

const spaces = new ProcessSpaces<TenantSpace>(({ limits, answers }) => {
  void limits.dispose?.();
  void answers.dispose?.();
});

/** Gives the router of each set of records. */
export interface RouterSource {
  routerOf(records: readonly AiRecord[]): Router;
  release(): void;
}

/** Compiles a config: routers are made once for each set of records, and a set stays the same while no record changes. */
export function routerSource(config: Config, services: PluginServices): RouterSource {
  const { clock, instance, log, outbound, secrets } = services;
  const counting = services.sharedStore === noSharedStore ? 'local' : 'shared';
  const { space, release } = spaces.hold(clock, [instance.tenantId, counting], () => spaceOf(services));
  const own = ownRoutes(config, instance.id);
  const policies = [
    ...readConsumerPolicies(config.consumer_policies, instance.id),
    ...readGroupPolicies(config.consumer_group_policies, instance.id),
  ];
  const providers = config.providers.filter(({ enabled }) => enabled !== false).map(readProvider);
  const caches = new AnswerCaches(services, providers, space.answers);
  const shared: Omit<RouterOptions, 'routes' | 'policies'> = {
    tenantId: instance.tenantId,
    providers,
    defaultProvider: config.default_provider,
    ordering: space.ordering,
    limits: space.limits,
    transport: outbound,
    readSecret: (reference) => secrets.read(reference),
    guards: routerGuards(config.guardrails, config.pii_redaction, () => clock.monotonicMs()),
    clock,
    timers: systemTimers,
  };
  const routers = new WeakMap<readonly AiRecord[], Router>();
  const make = (records: readonly AiRecord[]): Router => {
    const read = readAiRecords(records);
    for (const { record, message } of read.problems)
      log.warn('an AI record cannot be read', { record, reason: message });
    const names = new Set(config.providers.map(({ name }) => name));
    warnOfStrangers(read.routes, names, services);
    for (const record of read.idleCaches)
      log.warn('a cache record does not count, because another one does', { record });
    return createRouter({
      ...shared,
      routes: [...own, ...read.routes],
      policies: [...policies, ...read.policies],
      cache: caches.cacheOf(settingsOf(config, instance.id, read.cache)),
    });
  };
  return {
    routerOf: (records) => {
      let router = routers.get(records);
      if (router === undefined) routers.set(records, (router = make(records)));
      return router;
    },
    release,
  };
}

function spaceOf({ clock, sharedStore, newId, instance }: PluginServices): TenantSpace {
  const limits =
    sharedStore === noSharedStore
      ? createLocalLimits({ clock })
      : createSharedLimits({ store: sharedStore, prefix: 'ai', newId });
  return { ordering: new TargetOrder(clock), limits, answers: answerMemory(clock).storeOf(instance.tenantId) };
}

/** What the config says of caching goes before the tenant's records, also that there is none. */
function settingsOf({ semantic_cache: own }: Config, id: string, record: CacheSettings | undefined) {
  return own === undefined ? record : cacheOf(own, id);
}

/** The config's routes, with the strategy of those that name none. */
function ownRoutes({ model_routes: given, target_selection: strategy }: Config, id: string): readonly ModelRoute[] {
  if (given === undefined || strategy === undefined) return readModelRoutes(given, id);
  const entries = namedEntries(given).map(({ name, entry }) => [name, { strategy, ...entry }] as const);
  const isMap = !Array.isArray(given);
  return readModelRoutes(isMap ? Object.fromEntries(entries) : entries.map(([, entry]) => entry), id);
}

/** Records are written without knowing which providers a route has. */
function warnOfStrangers(routes: readonly ModelRoute[], names: ReadonlySet<string>, { log }: PluginServices): void {
  for (const { id, targets } of routes) {
    const unknown = targets.filter(({ provider }) => !names.has(provider)).length;
    if (unknown > 0)
      log.warn('targets of an AI route name no provider of this plugin and are left out', { record: id, unknown });
  }
}
