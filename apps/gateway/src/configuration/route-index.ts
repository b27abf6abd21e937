import type { Plugin } from '@portcullis/plugin-runtime';
import type { RouteRule } from '@portcullis/router';
import type { CheckedChange, Placed } from './checked-changes.ts';
import { routeRule } from './compile-route.ts';
import { ErrorList, type ConfigurationError } from './configuration-errors.ts';
import { streamRuleOf, type StreamRule } from '../streams/stream-rule.ts';
import { unfitMessage, unfitPlugins } from '../streams/unfit-plugins.ts';
import { takesRequests } from './protocol-rule.ts';
import type { RouteRecord } from './records.ts';
import { addTo, removeFrom } from './service-index.ts';

/** A route with its rule. */
export interface PlannedRoute extends Placed<RouteRecord> {
  readonly rule: RouteRule;
  /** `undefined` where it carries no connections byte by byte. */
  readonly stream: StreamRule | undefined;
}

/** Routes that can be matched, and which of them have to be compiled anew. */
export class RouteIndex {
  readonly #planned = new Map<string, PlannedRoute>();
  readonly #routesOf = new Map<string, Set<string>>();
  readonly #inlineNames = new Map<string, number>();
  readonly #installed: readonly Plugin[];
  #stale = new Set<string>();

  /** @param installed packages that routes may have plugins of */
  constructor(installed: readonly Plugin[]) {
    this.#installed = installed;
  }

  /** How many routes can be matched. */
  get size(): number {
    return this.#planned.size;
  }

  /** Routes that changed since they were last taken. */
  takeStale(): ReadonlySet<string> {
    const stale = this.#stale;
    this.#stale = new Set();
    return stale;
  }

  get(id: string): PlannedRoute | undefined {
    return this.#planned.get(id);
  }

  /** Some routes, there or not, and all others that can be matched. */
  *idsAnd(some: ReadonlySet<string>): Iterable<string> {
    yield* some;
    for (const id of this.#planned.keys()) if (!some.has(id)) yield id;
  }

  /** Names of the plugins that routes have of their own. */
  inlineNames(): Iterable<string> {
    return this.#inlineNames.keys();
  }

  /** A route is to be compiled anew. */
  touch(id: string): void {
    this.#stale.add(id);
  }

  /** The routes of a service are to be compiled anew. */
  touchService(serviceId: string): void {
    for (const id of this.#routesOf.get(serviceId) ?? []) this.#stale.add(id);
  }

  /**
   * Takes a change in.
   * @returns what is wrong with its paths, its ends of connections and its plugins: then it is left out
   */
  put(change: Extract<CheckedChange, { family: 'routes' }>): readonly ConfigurationError[] {
    const { id, checked } = change;
    this.#forget(id);
    this.#stale.add(id);
    const mistakes = new ErrorList();
    if (checked === undefined) return [];
    const rule = routeRule(checked.value, checked.pointer, mistakes);
    const stream = streamRuleOf(checked.value, (at, message) => mistakes.add(`${checked.pointer}${at}`, message));
    for (const at of stream === undefined ? [] : unfitPlugins(checked.value.plugins, this.#installed)) {
      mistakes.add(`${checked.pointer}/plugins/${at}/name`, unfitMessage);
    }
    if (mistakes.errors.length > 0) return mistakes.errors;
    this.#planned.set(id, { ...checked, rule, stream });
    const serviceId = checked.value.service_id;
    if (typeof serviceId === 'string') addTo(this.#routesOf, serviceId, id);
    for (const { name } of checked.value.plugins) this.#inlineNames.set(name, (this.#inlineNames.get(name) ?? 0) + 1);
    return [];
  }

  /** Whether requests may be matched with a planned route. */
  isReachable({ value }: PlannedRoute): boolean {
    return takesRequests(value.protocols);
  }

  #forget(id: string): void {
    const before = this.#planned.get(id);
    if (before === undefined) return;
    this.#planned.delete(id);
    const { service_id: serviceId, plugins } = before.value;
    if (typeof serviceId === 'string') removeFrom(this.#routesOf, serviceId, id);
    for (const { name } of plugins) {
      const left = (this.#inlineNames.get(name) ?? 0) - 1;
      if (left > 0) this.#inlineNames.set(name, left);
      else this.#inlineNames.delete(name);
    }
  }
}
