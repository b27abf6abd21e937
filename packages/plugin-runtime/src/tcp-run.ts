import type { ApplyResult } from './chain-entry.ts';
import { passBytes, type BytesEntry, type PassEnd, type Stop } from './chunk-pass.ts';
import type { TcpConnectionState } from './tcp-connection-state.ts';
import type { TcpEvent, TcpOutcome } from './tcp-connection.ts';

/** A hook of the tcp stage. */
export type TcpEntry = BytesEntry<TcpConnectionState>;

/**
 * The hooks of the tcp stage. What comes from the client (`open`, inbound data) passes them in the order of requests, what
 * goes to it (outbound data, `close`) in the order of responses.
 */
export class TcpRun {
  readonly #inward: readonly TcpEntry[];
  readonly #outward: readonly TcpEntry[];
  readonly #closing: readonly TcpEntry[];

  /** @param closing the hooks as they run for `close`: none of them can fail the connection any more */
  constructor(inward: readonly TcpEntry[], outward: readonly TcpEntry[], closing: readonly TcpEntry[]) {
    this.#inward = inward;
    this.#outward = outward;
    this.#closing = closing;
  }

  get isEmpty(): boolean {
    return this.#inward.length === 0;
  }

  /** Runs the hooks for one event. */
  run(connection: TcpConnectionState, event: TcpEvent): TcpOutcome | Promise<TcpOutcome> {
    const bytes = event.type === 'data' ? event.bytes : NO_BYTES;
    const end = passBytes(this.#entriesFor(event), connection, bytes, (current) => passing(event, current));
    return end instanceof Promise
      ? end.then((late) => outcomeOf(connection, event, late))
      : outcomeOf(connection, event, end);
  }

  #entriesFor(event: TcpEvent): readonly TcpEntry[] {
    if (event.type === 'close') return this.#closing;
    return event.type === 'data' && event.direction === 'outbound' ? this.#outward : this.#inward;
  }
}

/** How results of tcp hooks are applied. @throws TypeError for what is none for this event */
export const tcpResults: ApplyResult<TcpConnectionState, Uint8Array | Stop> = (_connection, result, event) => {
  if (typeof result === 'object' && result !== null) {
    const { type } = event as TcpEvent;
    if ('bytes' in result && result.bytes instanceof Uint8Array && type === 'data') return result.bytes;
    // A connection that is over cannot be closed: the hooks after this one are told of the end too.
    if ('close' in result && result.close === true) return type === 'close' ? NO_BYTES : CLOSE;
  }
  throw new TypeError('a tcp hook returns nothing, the wish to close, or bytes for data');
};

const CLOSE: Stop = { reason: 'the plugin closed the connection' };
const NO_BYTES = new Uint8Array(0);
const OPEN: TcpEvent = Object.freeze({ type: 'open' });
const CLOSED: TcpEvent = Object.freeze({ type: 'close' });

/** The event as one hook sees it: assigning to it throws. */
function passing(event: TcpEvent, bytes: Uint8Array): TcpEvent {
  if (event.type === 'data') return Object.freeze({ type: 'data', direction: event.direction, bytes });
  return event.type === 'open' ? OPEN : CLOSED;
}

function outcomeOf(connection: TcpConnectionState, event: TcpEvent, end: PassEnd<TcpConnectionState>): TcpOutcome {
  if (end === 'failed') return end;
  if (end instanceof Uint8Array) return event.type === 'data' ? end : 'continue';
  const plugin = end.by.instance.identity.name;
  connection.noteFailure({ code: 'plugin_closed', message: end.stop.reason, plugin });
  return 'close';
}
