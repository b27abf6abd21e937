import type { HeaderView } from '@portcullis/plugin-runtime';
import type { AskedRequest } from './asked-request.ts';
import type { CachedAnswer } from './cached-answer.ts';
import type { Conditions } from './conditions.ts';
import type { Flight } from './flights.ts';
import type { StoringRequest } from './storing.ts';

/** What is known of a request when it goes to the service. */
export interface FetchingParts {
  readonly asked: AskedRequest;
  /** Where the request went then, if not to its service. */
  readonly destination: string | undefined;
  /** As they were then, with the client's conditions. */
  readonly headers: HeaderView;
  /** The client's conditions, when the service does not see them and the cache has to judge them. */
  readonly conditions: Conditions | undefined;
  /** The answer in the store that cannot be used as it is. */
  readonly stored: CachedAnswer | undefined;
  /** The same, when the service is asked whether it still holds. */
  readonly validates: CachedAnswer | undefined;
  /** Moment of the store. */
  readonly since: number;
  /** Monotonic milliseconds. */
  readonly requestedMs: number;
  /** When others wait for it. */
  readonly flight: Flight | undefined;
}

/** A request whose answer comes from the service. */
export class Fetching implements StoringRequest {
  readonly #parts: FetchingParts;

  constructor(parts: FetchingParts) {
    this.#parts = parts;
  }

  get asked(): AskedRequest {
    return this.#parts.asked;
  }

  get destination(): string | undefined {
    return this.#parts.destination;
  }

  get headers(): HeaderView {
    return this.#parts.headers;
  }

  get conditions(): Conditions | undefined {
    return this.#parts.conditions;
  }

  get stored(): CachedAnswer | undefined {
    return this.#parts.stored;
  }

  get validates(): CachedAnswer | undefined {
    return this.#parts.validates;
  }

  get since(): number {
    return this.#parts.since;
  }

  get requestedMs(): number {
    return this.#parts.requestedMs;
  }

  /** Lets those who wait for it go on. Safe to call twice. */
  end(): void {
    this.#parts.flight?.land();
  }
}
