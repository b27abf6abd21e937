import type { Exchange } from '@portcullis/plugin-runtime';
import { ServiceState } from './service-state.ts';

/** Most states of one namespace. Names come from the configuration, so only one of many thousand services gets there. */
export const STATES_MAX = 10_000;

/** Services looked at to find one that nothing is known of, when there are too many. */
const LOOKS_MAX = 32;

/** The states of a namespace, by the name of what they protect. */
export class ServiceStates {
  readonly #states = new Map<string, ServiceState>();
  readonly #windowMs: number;
  readonly #nowMs: () => number;

  /** @param nowMs monotonic */
  constructor(windowMs: number, nowMs: () => number) {
    this.#windowMs = windowMs;
    this.#nowMs = nowMs;
  }

  /** The state of this name; a new one has no requests and a closed circuit. */
  of(name: string): ServiceState {
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    if (this.#states.size >= STATES_MAX) this.#states.delete(this.#oldestIdle());
    const state = new ServiceState(this.#windowMs, this.#nowMs);
    this.#states.set(name, state);
    return state;
  }

  #oldestIdle(): string {
    let oldest = '';
    let looks = 0;
    for (const [name, { running, phase }] of this.#states) {
      if (looks === 0) oldest = name;
      if (running === 0 && phase === 'closed') return name;
      looks += 1;
      if (looks === LOOKS_MAX) break;
    }
    return oldest;
  }
}

/**
 * Makes the names of states from requests. Tenants never share one, whatever the key. A request without a service or route has the
 * state of those without.
 */
export function compileStateName(serviceKey: string): (exchange: Exchange) => string {
  switch (serviceKey) {
    case 'service':
      return ({ facts }) => `${facts.tenantId}\n${facts.service?.id ?? ''}`;
    case 'route':
      return ({ facts }) => `${facts.tenantId}\n${facts.route?.id ?? ''}`;
    case 'gateway':
      return ({ facts }) => `${facts.tenantId}\n${facts.gateway.id}`;
    default:
      return ({ facts }) => `${facts.tenantId}\n${serviceKey}`;
  }
}
