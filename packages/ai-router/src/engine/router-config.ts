import { adapterOf } from '../providers/adapters.ts';
import { matchesModel } from '../routing/model-pattern.ts';
import type { ModelRoute, Target } from '../routing/route.ts';
import { namesOf, type OtherNames, PolicyTable } from '../policy/select-policy.ts';
import { RouteTable } from '../routing/route-table.ts';
import { ProviderSlot } from './provider-slot.ts';
import { ANSWER_DEADLINE_MS, type RouterOptions } from './router-options.ts';

/** What requests of one configuration share. */
export interface RouterConfig {
  readonly options: RouterOptions;
  readonly slots: ReadonlyMap<string, ProviderSlot>;
  readonly routes: RouteTable;
  readonly policies: PolicyTable;
  readonly answerDeadlineMs: number;
}

/** Compiles options. @throws UnsupportedRequestError for a provider's type without an adapter */
export function compileRouter(options: RouterOptions): RouterConfig {
  const readSecret = options.readSecret ?? noSecret;
  const slots = new Map(
    options.providers.map(
      (provider) => [provider.name, new ProviderSlot(provider, adapterOf(provider.type), readSecret)] as const,
    ),
  );
  return {
    options,
    slots,
    routes: new RouteTable(options.routes.map((route) => reachable(route, slots))),
    policies: new PolicyTable(options.policies),
    answerDeadlineMs: options.answerDeadlineMs ?? answerDeadlineMs(options),
  };
}

/** The longest time-out that somebody configured is had in full, even where that is longer than requests else may take. */
function answerDeadlineMs({ providers, routes }: RouterOptions): number {
  let longestMs = ANSWER_DEADLINE_MS;
  for (const { timeoutMs, firstByteTimeoutMs } of providers) {
    longestMs = Math.max(longestMs, timeoutMs, firstByteTimeoutMs);
  }
  for (const { targets } of routes) for (const { timeoutMs = 0 } of targets) longestMs = Math.max(longestMs, timeoutMs);
  return longestMs;
}

/** A route whose targets of providers that are off, or do not take their model, are off, too: they have no share of it. */
function reachable(route: ModelRoute, slots: ReadonlyMap<string, ProviderSlot>): ModelRoute {
  const isReachable = ({ provider, model }: Target): boolean => {
    const slot = slots.get(provider);
    return slot !== undefined && serves(slot, model);
  };
  if (route.targets.every(isReachable)) return route;
  const targets = route.targets.map((target) => (isReachable(target) ? target : { ...target, enabled: false }));
  return { ...route, targets };
}

function noSecret(): never {
  throw new Error('this host reads no secrets');
}

/** Where requests for a model may go. */
export interface ModelPlan {
  /** `undefined` for what goes to the default provider as it is. */
  readonly route: ModelRoute | undefined;
  /** Without a route: the one target. */
  readonly passThrough: Target | undefined;
}

/** What a model means; `undefined` for nothing. Source: ai, model_route config. */
export function planOf({ options, routes, slots }: RouterConfig, model: string): ModelPlan | undefined {
  const route = routes.find(model);
  if (route !== undefined) return { route, passThrough: undefined };
  const { defaultProvider } = options;
  const slot = defaultProvider === undefined ? undefined : slots.get(defaultProvider);
  if (slot === undefined || !serves(slot, model) || isElsewhere(slot, model)) return undefined;
  return { route: undefined, passThrough: targetOf(slot.provider.name, model) };
}

/** What else a model is called, as policies look at it. */
export function otherNames({ slots }: RouterConfig, { route, passThrough }: ModelPlan): OtherNames {
  if (route !== undefined) return { routeModel: route.model };
  if (passThrough === undefined) return {};
  return { sentAs: namesOf(sentName(slots.get(passThrough.provider), passThrough.model)) };
}

/** What a provider calls a model. */
export function sentName(slot: ProviderSlot | undefined, model: string): string {
  return slot?.provider.modelMap.get(model) ?? model;
}

/** Whether a client names a project of its own choice, which the operator's credential may reach: only targets of routes may. */
function isElsewhere({ provider }: ProviderSlot, model: string): boolean {
  return provider.type === 'vertex' && /^projects\//i.test(model);
}

function targetOf(provider: string, model: string): Target {
  return { provider, model, priority: 0, weight: 1, keywords: [], hints: [], enabled: true, params: {} };
}

/** Whether a provider takes a model. */
export function serves({ provider }: ProviderSlot, model: string): boolean {
  return provider.models.length === 0 || provider.models.some((pattern) => matchesModel(pattern, model));
}
