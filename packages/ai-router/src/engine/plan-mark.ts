import { hash } from 'node:crypto';
import type { ModelRoute } from '../routing/route.ts';
import { type ModelPlan, type RouterConfig, sentName } from './router-config.ts';

/** Marks go with their routes, and those with a configuration. */
const marks = new WeakMap<RouterConfig, WeakMap<ModelRoute, string>>();

/**
 * Tells where a request may go from where others may: an answer that was kept is not given once a route leads elsewhere, sets other fields, or a provider is at
 * another address. Holds no credential. In which order targets are tried is none of it,
 * nor what the route is called: tenants that share answers have routes of their own.
 */
export function planMark(config: RouterConfig, { route, passThrough }: ModelPlan): string {
  if (route === undefined) {
    const { provider = '', model = '' } = passThrough ?? {};
    return JSON.stringify(['', targetMark(config, provider, model)]);
  }
  let known = marks.get(config);
  if (known === undefined) marks.set(config, (known = new WeakMap()));
  let mark = known.get(route);
  if (mark === undefined) known.set(route, (mark = routeMark(config, route)));
  return mark;
}

function routeMark(config: RouterConfig, { targets }: ModelRoute): string {
  const marked = targets
    .filter(({ enabled }) => enabled)
    .map(({ provider, model, params }) => [targetMark(config, provider, model), params]);
  return hash('sha256', JSON.stringify(marked), 'hex');
}

function targetMark({ slots }: RouterConfig, name: string, model: string): unknown {
  const slot = slots.get(name);
  if (slot === undefined) return null;
  const { type, baseUrl, path = '', apiVersion = '', deploymentId = '', region = '', headers } = slot.provider;
  const { organization = '', project = '' } = slot.provider;
  // Headers may hold keys.
  const said = hash('sha256', JSON.stringify(headers), 'hex');
  return [
    name,
    type,
    baseUrl,
    path,
    apiVersion,
    deploymentId,
    region,
    organization,
    project,
    said,
    sentName(slot, model),
  ];
}
