import { adapterOf } from '../providers/adapters.ts';
import { matchesModel } from '../routing/model-pattern.ts';
import type { ModelRoute, Target } from '../routing/route.ts';
import { PolicyTable } from '../policy/select-policy.ts';
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
    answerDeadlineMs: options.answerDeadlineMs ?? ANSWER_DEADLINE_MS,
  };
}

/** A route whose targets of providers that are off are off, too: they have no share of it. */
function reachable(route: ModelRoute, slots: ReadonlyMap<string, ProviderSlot>): ModelRoute {
  if (route.targets.every(({ provider }) => slots.has(provider))) return route;
  const targets = route.targets.map((target) => (slots.has(target.provider) ? target : { ...target, enabled: false }));
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
  if (slot === undefined || !serves(slot, model)) return undefined;
  return { route: undefined, passThrough: targetOf(slot.provider.name, model) };
}

function targetOf(provider: string, model: string): Target {
  return { provider, model, priority: 0, weight: 1, keywords: [], hints: [], enabled: true, params: {} };
}

/** Whether a provider takes a model. */
export function serves({ provider }: ProviderSlot, model: string): boolean {
  return provider.models.length === 0 || provider.models.some((pattern) => matchesModel(pattern, model));
}
