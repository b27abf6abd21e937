import { HookSubject } from './hook-subject.ts';
import type { TcpConnection, TcpFacts } from './tcp-connection.ts';

/** What the host knows when a connection is accepted. */
export interface TcpConnectionParts {
  readonly facts: TcpFacts;
  readonly clientIp: string;
  readonly sni?: string;
  /** Whether `steps` is kept: one step per hook, which sums up its calls. Default false. */
  readonly recordSteps?: boolean;
}

/**
 * One connection, owned by the host. It makes one per connection, runs `open`, then `data` for each chunk, one at a time for
 * each direction, then `close` once; `abort` when the client breaks it off while hooks wait.
 */
export class TcpConnectionState extends HookSubject implements TcpConnection {
  readonly #facts: TcpFacts;
  readonly #clientIp: string;
  readonly #sni: string | undefined;

  constructor(parts: TcpConnectionParts) {
    super(parts.recordSteps === true);
    this.#facts = parts.facts;
    this.#clientIp = parts.clientIp;
    this.#sni = parts.sni;
  }

  get facts(): TcpFacts {
    return this.#facts;
  }

  get clientIp(): string {
    return this.#clientIp;
  }

  get sni(): string | undefined {
    return this.#sni;
  }

  get consumer(): undefined {
    return undefined;
  }

  get logFields(): Readonly<Record<string, string>> {
    return { connection_id: this.facts.connectionId };
  }
}

// Assigning to a method throws too: hooks of one request share the object.
Object.freeze(TcpConnectionState.prototype);
