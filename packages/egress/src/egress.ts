import { systemLookup } from './adapters/system-lookup.ts';
import { AddressPolicy, type AddressRule } from './address/address-policy.ts';
import { type NameLookup, type VettedAddress, VettedAddresses } from './address/vetted-addresses.ts';
import { CallTime } from './call-time.ts';
import { EgressError } from './egress-error.ts';
import { egressLimits } from './egress-limits.ts';
import type { Answer } from './http/answer.ts';
import type { buildConnector } from 'undici';
import { guardedConnector } from './http/guarded-connector.ts';
import { HttpCaller } from './http/http-caller.ts';
import { StreamCaller } from './http/stream-caller.ts';
import type { EgressCall, EgressListener, EgressStreamRequest } from './http/stream-request.ts';
import { checkMethod } from './http/request-headers.ts';
import { readHost, readUrl } from './url/read-url.ts';

/** What the host says. */
export interface EgressOptions extends AddressRule {
  /** Default: the system's own way, two names at a time, because each holds a thread: hosts with many names bring one that holds none, such as {@link createResolver}'s. */
  readonly lookup?: NameLookup;
  /** Authorities, as PEM, that are trusted in place of the platform's. Default: the platform's. */
  readonly certificates?: readonly string[];
}

/** One HTTP request to a configured address. */
export interface EgressRequest {
  /** Absolute, `http:` or `https:`, without user and password. */
  readonly url: string;
  /** Default `GET`. */
  readonly method?: string;
  /** Name and value by turns. What belongs to the connection (`Host`, `Content-Length`, …) is left out. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
  /** For everything together: waiting for a place, resolving, connecting, redirects, reading the answer. 1 to 3,600,000 ms. */
  readonly timeoutMs: number;
  /** Of the answer's body. 0 to 256 MiB. */
  readonly responseBytesMax: number;
  /** 0 to 3. Default 0: a redirect is an answer like any other. */
  readonly redirectsMax?: number;
  /** `http:` is refused but for addresses in `allowed`: for calls with somebody's keys. Default `false`. Source: decisions, 20. */
  readonly requiresTls?: boolean;
  readonly signal?: AbortSignal;
}

/** What undici's clients take as `connect`. */
export type EgressConnector = buildConnector.connector;

/** The guarded way out. Calls reject with an `EgressError`, or with a `RangeError` for a bound out of its range. */
export interface Egress {
  request(request: EgressRequest): Promise<Answer>;
  /**
   * Begins a call whose answer streams. It fails where {@link request} would reject, but for sizes: whoever makes it bounds how much of the
   * answer it takes.
   * @throws RangeError for a time out of its range
   */
  open(request: EgressStreamRequest, listener: EgressListener): EgressCall;
  /**
   * The addresses of a host that may be called on a port, at least one, for protocols other than HTTP. Connect to one of them and to
   * nothing else.
   */
  resolve(host: string, port: number, signal?: AbortSignal): Promise<readonly VettedAddress[]>;
  /**
   * Makes connections for an undici client of the caller's own, which streams what {@link request} would hold. Each is made to an address
   * that was judged for it; where none may be called, it fails with an `EgressError`. Bounds are the client's.
   * @param connectTimeoutMs for connecting, TLS included; resolving has a time of its own
   */
  connector(connectTimeoutMs: number): EgressConnector;
  /** Cuts what is under way; later requests fail. */
  close(): Promise<void>;
}

/** Makes the way out of a process: its bounds hold for all who share it. */
export function createEgress(options: EgressOptions = {}): Egress {
  const addresses = new VettedAddresses(new AddressPolicy(options), options.lookup ?? systemLookup);
  const { certificates = [] } = options;
  const caller = new HttpCaller(addresses, certificates);
  const streams = new StreamCaller(addresses, certificates);
  const closing = new AbortController();
  return {
    request: (request) => requestWith(caller, request),
    open: (request, listener) => openWith(streams, request, listener),
    resolve: (host, port, signal) => resolveWith(addresses, host, port, signal),
    connector: (connectTimeoutMs) => {
      checkBound('connectTimeoutMs', connectTimeoutMs, 1, egressLimits.timeoutMsMax);
      const { signal } = closing;
      return guardedConnector({
        addresses,
        isListedOnly: false,
        certificates,
        onOpen: uncounted,
        signal,
        connectTimeoutMs,
      });
    },
    close: async () => {
      closing.abort(new EgressError('unreachable', 'the way out is closed'));
      await Promise.all([caller.close(), streams.close()]);
    },
  };
}

/** The caller's client counts its own connections. */
const uncounted = () => (): void => undefined;

async function requestWith(caller: HttpCaller, request: EgressRequest): Promise<Answer> {
  const { timeoutMs, responseBytesMax, redirectsMax = 0, method = 'GET', requiresTls = false } = request;
  checkBound('timeoutMs', timeoutMs, 1, egressLimits.timeoutMsMax);
  checkBound('responseBytesMax', responseBytesMax, 0, egressLimits.responseBytesMax);
  checkBound('redirectsMax', redirectsMax, 0, egressLimits.redirectsMax);
  checkMethod(method);
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
  const hop = { target: readUrl(request.url), method, headers: request.headers ?? [], body };
  const time = new CallTime(timeoutMs, request.signal);
  try {
    return await caller.call(hop, { responseBytesMax, redirectsMax, requiresTls, time });
  } finally {
    time.end();
  }
}

function openWith(streams: StreamCaller, request: EgressStreamRequest, listener: EgressListener): EgressCall {
  checkTime('connectTimeoutMs', request.connectTimeoutMs);
  checkTime('headTimeoutMs', request.headTimeoutMs);
  checkTime('idleTimeoutMs', request.idleTimeoutMs);
  return streams.open(request, listener);
}

async function resolveWith(
  addresses: VettedAddresses,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<readonly VettedAddress[]> {
  checkBound('port', port, 1, 65_535);
  return await addresses.of(readHost(host), port, false, signal);
}

function checkBound(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}`);
}

/** Times that are left of others are seldom whole. */
function checkTime(name: string, value: number): void {
  if (!(value > 0 && value <= egressLimits.timeoutMsMax))
    throw new RangeError(`${name} must be above 0, to ${egressLimits.timeoutMsMax}`);
}
