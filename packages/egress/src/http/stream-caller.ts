import type { VettedAddresses } from '../address/vetted-addresses.ts';
import { EgressError } from '../egress-error.ts';
import { egressLimits } from '../egress-limits.ts';
import { type CallTarget, readUrl } from '../url/read-url.ts';
import { guardedConnector } from './guarded-connector.ts';
import { checkMethod, sentHeaders } from './request-headers.ts';
import { StreamCall } from './stream-call.ts';
import { StreamOrigin } from './stream-origin.ts';
import type { EgressCall, EgressListener, EgressStreamRequest } from './stream-request.ts';

/** Addresses whose reading is kept: whoever streams asks the same few again and again. */
const targetsMax = 1024;

/** How many calls there may be. */
export type StreamLimits = Pick<typeof egressLimits, 'streamsMax' | 'streamsPerOriginMax' | 'streamOriginsMax'>;

/** Makes HTTP requests whose answers stream, on connections of its own. */
export class StreamCaller {
  readonly #addresses: VettedAddresses;
  readonly #certificates: readonly string[];
  readonly #limits: { readonly [Limit in keyof StreamLimits]: number };
  readonly #closing = new AbortController();
  /** By rule and origin. */
  readonly #origins = new Map<string, StreamOrigin>();
  readonly #targets = new Map<string, CallTarget>();
  #calls = 0;
  #connections = 0;

  constructor(
    addresses: VettedAddresses,
    certificates: readonly string[],
    limits: { readonly [Limit in keyof StreamLimits]: number } = egressLimits,
  ) {
    this.#addresses = addresses;
    this.#certificates = certificates;
    this.#limits = limits;
  }

  /** Begins a call. */
  open(request: EgressStreamRequest, listener: EgressListener): EgressCall {
    let origin: StreamOrigin | undefined;
    const call = new StreamCall(request, listener, () => this.#leave(origin));
    try {
      const target = this.#targetOf(request);
      const options = this.#optionsOf(request, target);
      origin = this.#originOf(target, request.requiresTls === true && !target.isTls);
      this.#calls += 1;
      origin.dispatch(options, call);
    } catch (error) {
      call.refuse(error);
    }
    call.opened();
    return call;
  }

  /** Cuts what is under way. */
  async close(): Promise<void> {
    const closed = new EgressError('unreachable', 'the way out is closed');
    this.#closing.abort(closed);
    await Promise.all([...this.#origins.values()].map((origin) => origin.destroy(closed)));
    this.#origins.clear();
  }

  #targetOf({ url }: EgressStreamRequest): CallTarget {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const target = readUrl(url);
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }

  #optionsOf({ method = 'GET', headers = [], body }: EgressStreamRequest, { path }: CallTarget) {
    checkMethod(method);
    const reset = this.#connections >= egressLimits.keptStreamConnectionsMax;
    return { method, path, headers: sentHeaders(headers), body: body ?? null, reset };
  }

  /** @throws EgressError when there is no place for another call */
  #originOf(target: CallTarget, isListedOnly: boolean): StreamOrigin {
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    // A connection to a public address must not be there for whoever may use listed ones only.
    const key = isListedOnly ? `listed ${target.origin}` : target.origin;
    const known = this.#origins.get(key);
    if (this.#calls >= this.#limits.streamsMax || (known?.calls ?? 0) >= this.#limits.streamsPerOriginMax)
      throw new EgressError('unreachable', 'the call has no place: too many are under way already');
    if (known !== undefined) return known;
    this.#makeRoom();
    const parts = { addresses: this.#addresses, isListedOnly, certificates: this.#certificates };
    const { signal } = this.#closing;
    const connectorFor = (onOpen: () => () => void) => guardedConnector({ ...parts, onOpen, signal });
    const made: StreamOrigin = new StreamOrigin(target.origin, this.#limits.streamsPerOriginMax, connectorFor, {
      opened: () => (this.#connections += 1),
      closed: () => (this.#connections -= 1),
      unused: () => this.#drop(key, made),
    });
    this.#origins.set(key, made);
    return made;
  }

  #makeRoom(): void {
    if (this.#origins.size < this.#limits.streamOriginsMax) return;
    for (const [key, origin] of this.#origins) {
      if (origin.calls > 0) continue;
      this.#drop(key, origin);
      return;
    }
    throw new EgressError('unreachable', 'the call has no place: too many servers are being called already');
  }

  #leave(origin: StreamOrigin | undefined): void {
    if (origin === undefined) return;
    this.#calls -= 1;
    origin.left();
  }

  #drop(key: string, origin: StreamOrigin): void {
    if (this.#origins.get(key) === origin) this.#origins.delete(key);
    origin.close();
  }
}
