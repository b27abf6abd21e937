import { Endpoint, type EndpointParts } from './endpoint.ts';
import { RetryBudget } from './retry-budget.ts';

interface Held {
  readonly endpoint: Endpoint;
  holders: number;
}

/** What is known of one upstream whatever its configuration says at present: its endpoints, and its budget of retries. */
export class UpstreamState {
  readonly #endpoints = new Map<string, Held>();
  /** Targets whose names were never resolved, with how many configurations say so. */
  #unresolved: Map<string, number> | undefined;
  #budget: RetryBudget | undefined;

  /** Made when the first request comes: most upstreams of a large table have none. */
  get budget(): RetryBudget {
    return (this.#budget ??= new RetryBudget());
  }

  /** Whether there has been a request. */
  get hasRequests(): boolean {
    return this.#budget !== undefined;
  }

  /** Retries that were sent and refused so far. */
  get retries(): { readonly sent: number; readonly refused: number } {
    return this.#budget ?? { sent: 0, refused: 0 };
  }

  /** A configuration cannot resolve a target's name. @returns whether it is the first */
  noteUnresolved(targetId: string): boolean {
    const unresolved = (this.#unresolved ??= new Map());
    const count = unresolved.get(targetId) ?? 0;
    unresolved.set(targetId, count + 1);
    return count === 0;
  }

  /** A configuration has resolved it, or has the target no longer. @returns whether it was the last */
  clearUnresolved(targetId: string): boolean {
    const count = this.#unresolved?.get(targetId) ?? 0;
    if (count > 1) this.#unresolved?.set(targetId, count - 1);
    else this.#unresolved?.delete(targetId);
    return count === 1;
  }

  /** The endpoint of an address: the one that is there, or a new one. Each call wants one {@link release}. */
  acquire(key: string, parts: EndpointParts): Endpoint {
    const held = this.#endpoints.get(key) ?? { endpoint: new Endpoint(parts), holders: 0 };
    held.holders += 1;
    this.#endpoints.set(key, held);
    return held.endpoint;
  }

  /** Gives an endpoint back. The last one closes its connections once they are idle. */
  release(key: string): void {
    const held = this.#endpoints.get(key);
    if (held === undefined) return;
    held.holders -= 1;
    if (held.holders > 0) return;
    this.#endpoints.delete(key);
    held.endpoint.close();
  }

  /** All endpoints that any configuration has. */
  *endpoints(): Iterable<Endpoint> {
    for (const { endpoint } of this.#endpoints.values()) yield endpoint;
  }
}
