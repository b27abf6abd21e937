import { normalisePath } from '@portcullis/resources';
import { hostOfAuthority } from '@portcullis/router';
import { upgradeProtocol, type ServerCall } from '../transport/server-transport.ts';
import type { ReceivedTrace, RequestTrace } from '../tracing/request-trace.ts';
import type { TraceContexts } from '../tracing/trace-contexts.ts';
import { fieldKinds, removeNamedFields } from './field-kinds.ts';
import { problems, type GatewayProblem } from './problems.ts';
import { plainAddress, type TrustedProxies } from './trusted-proxies.ts';

/** A request's head, checked and made ready to be forwarded. */
export interface RequestHead {
  /** Normalised. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
  /** Lower case, without port; empty when the client named none (HTTP/1.0). */
  readonly host: string;
  /** Host with port as the client wrote it. */
  readonly authority: string;
  readonly clientIp: string;
  /** Whether the connection's other end is a trusted proxy. */
  readonly isFromTrustedPeer: boolean;
  /** Whether the client came over TLS, to this gateway or to a trusted peer before it. */
  readonly encrypted: boolean;
  /**
   * Fields to forward, name and value by turns; `host` comes first. Hop-by-hop fields, claims about the client that the
   * peer may not make, and names with `_` are left out; the forwarding fields are in.
   */
  readonly pairs: string[];
  /** What a trusted peer says of who the client is, name and value by turns: plugins may ask for it, nobody else. */
  readonly claims: readonly string[] | undefined;
  /** `CDN-Loop` as it came: what plugins or a `Connection` field do to {@link pairs} does not change it. Empty where there is none. */
  readonly hops: string;
  /** `undefined` where trace contexts are left alone. */
  readonly trace: RequestTrace | undefined;
  /** The protocol that the client wants on the connection, if it is one that it can be given; `undefined` where it wants none. */
  readonly upgrade: typeof upgradeProtocol | undefined;
  /** Whether the client said that it takes trailers. */
  readonly takesTrailers: boolean;
  /** Names of fields that the client announced behind its body, with commas between them; empty where it announced none. */
  readonly announcedTrailers: string;
}

/** Reads a request's head, or says why it is refused. One pass over the fields. */
export function readHead(
  call: ServerCall,
  trusted: TrustedProxies,
  traces: TraceContexts,
): RequestHead | GatewayProblem {
  if (call.httpVersion === 'other') return problems.unknownVersion;
  const peer = plainAddress(call.connection.peerAddress);
  const isTrusted = trusted.has(peer);
  const pairs = ['host', ''];
  let host: string | undefined;
  let connection = '';
  let upgrade = '';
  let takesTrailers = false;
  let announcedTrailers = '';
  let coding: string | undefined;
  let forwardedFor = '';
  let hops = '';
  let received: ReceivedTrace | undefined;
  let kept = 0;
  let forwardedProto: string | undefined;
  let claims: string[] | undefined;
  const { headers } = call;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    const kind = fieldKinds.get(name.toLowerCase());
    if (kind === undefined) {
      if (!name.includes('_')) pairs.push(name, value);
    } else if (kind === 'host') {
      if (host !== undefined) return problems.malformedHost;
      host = value;
    } else if (kind === 'connection') connection = connection === '' ? value : `${connection},${value}`;
    else if (kind === 'length') {
      // Beyond, numbers are rounded: the upstream would be told another length.
      if (Number(value) > Number.MAX_SAFE_INTEGER) return problems.unknownLength;
      if (call.body !== undefined) pairs.push(name, value);
    } else if (kind === 'upgrade') upgrade = value;
    else if (kind === 'te') takesTrailers ||= /\btrailers\b/i.test(value);
    else if (kind === 'trailer') announcedTrailers = announcedTrailers === '' ? value : `${announcedTrailers},${value}`;
    else if (kind === 'coding') {
      if (coding !== undefined) return problems.unknownCoding;
      coding = value.toLowerCase();
    } else if (kind === 'expect') {
      // RFC 9110, section 10.1.1: it means nothing in HTTP/1.0.
      if (call.httpVersion !== '1.0' && value.toLowerCase() !== '100-continue') return problems.unknownExpectation;
    } else if (kind === 'for') {
      if (isTrusted) forwardedFor = forwardedFor === '' ? value : `${forwardedFor}, ${value}`;
    } else if (kind === 'trace') received = withTraceField(received, name, value);
    else if (kind === 'hops') {
      hops = hops === '' ? value : `${hops}, ${value}`;
      pairs.push(name, value);
    } else if (isTrusted && kind !== 'hop') {
      if (kind === 'forwarded') {
        const bit = forwardedBit(name.toLowerCase());
        kept |= bit;
        // Given twice, it is in doubt and means cleartext.
        if (bit === protoBit) forwardedProto = forwardedProto === undefined ? value.trim().toLowerCase() : '';
        pairs.push(name, value);
      } else if (kind === 'identity') (claims ??= []).push(name, value);
    }
  }
  if (coding !== undefined && call.httpVersion === '1.0') return problems.oldFraming;
  if (coding !== undefined && coding !== 'chunked') return problems.unknownCoding;
  const target = splitTarget(call.target, host);
  if ('status' in target) return target;
  if (target.authority === '' && call.httpVersion !== '1.0') return problems.malformedHost;
  const hostName = target.authority === '' ? '' : hostOfAuthority(target.authority);
  if (hostName === undefined) return problems.malformedHost;
  const wanted = upgrade === '' ? undefined : wantedProtocol(upgrade, connection, call);
  if (typeof wanted === 'object') return wanted;
  const path = normalisePath(target.path);
  if (typeof path !== 'string') return { ...problems.malformedTarget, detail: path.message };
  if (connection !== '' && connection !== 'keep-alive') removeNamedFields(pairs, connection);
  pairs[1] = target.authority;
  pairs.push('X-Forwarded-For', forwardedFor === '' ? peer : `${forwardedFor}, ${peer}`);
  addForwarding(pairs, kept, call, target.authority);
  return {
    path,
    query: target.query,
    host: hostName,
    authority: target.authority,
    encrypted: forwardedProto === undefined ? call.connection.encrypted : forwardedProto === 'https',
    isFromTrustedPeer: isTrusted,
    clientIp: isTrusted ? trusted.clientAddress(peer, forwardedFor) : peer,
    pairs,
    claims,
    hops,
    trace: traces.begin(received, isTrusted, pairs),
    upgrade: wanted,
    takesTrailers,
    announcedTrailers,
  };
}

/** Of `traceparent` there may be one only; lines of `tracestate` are one list. Source: W3C Trace Context, sections 3.2 and 3.3. */
function withTraceField(received: ReceivedTrace | undefined, name: string, value: string): ReceivedTrace {
  const trace = received ?? { parent: '', state: '', lines: [] };
  const isParent = name.length === 'traceparent'.length;
  const isFirst = !trace.lines.some((line, at) => at % 2 === 0 && line.length === name.length);
  if (isParent) trace.parent = isFirst ? value : '';
  else trace.state = isFirst ? value : `${trace.state},${value}`;
  trace.lines.push(name, value);
  return trace;
}

/**
 * The protocol that a request asks to switch to. `h2c` is one that clients offer, and do without (RFC 9113, section 3.1).
 * @returns a problem where the client wants what it cannot be given
 */
function wantedProtocol(
  upgrade: string,
  connection: string,
  call: ServerCall,
): typeof upgradeProtocol | GatewayProblem | undefined {
  if (!/(?:^|[\s,])upgrade(?:$|[\s,])/i.test(connection)) return undefined;
  const protocol = upgrade.toLowerCase();
  if (protocol === 'h2c') return undefined;
  if (protocol !== upgradeProtocol) return problems.foreignUpgrade;
  return call.switchProtocols === undefined ? problems.malformedUpgrade : upgradeProtocol;
}

const protoBit = 1;
const hostBit = 2;
const portBit = 4;

function forwardedBit(lowerName: string): number {
  if (lowerName === 'x-forwarded-proto') return protoBit;
  if (lowerName === 'x-forwarded-host') return hostBit;
  return lowerName === 'x-forwarded-port' ? portBit : 0;
}

/** Says how the client reached this gateway, unless a trusted peer has said it already. */
function addForwarding(pairs: string[], kept: number, call: ServerCall, authority: string): void {
  if ((kept & protoBit) === 0) pairs.push('X-Forwarded-Proto', call.connection.encrypted ? 'https' : 'http');
  if ((kept & hostBit) === 0 && authority !== '') pairs.push('X-Forwarded-Host', authority);
  if ((kept & portBit) === 0) pairs.push('X-Forwarded-Port', portText(call.connection.localPort));
}

/** The port of the last call: a gateway listens on one or two. */
let lastPort = 0;
let lastPortText = '0';

function portText(port: number): string {
  if (port !== lastPort) [lastPort, lastPortText] = [port, String(port)];
  return lastPortText;
}

interface Target {
  readonly path: string;
  readonly query: string;
  readonly authority: string;
}

/** Takes a request target apart. In absolute form it must name the host of the `host` field. */
function splitTarget(target: string, host: string | undefined): Target | GatewayProblem {
  let origin = target;
  if (target.charCodeAt(0) !== 0x2f) {
    const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
    if (absolute === null) return problems.malformedTarget;
    const [, named = '', rest = ''] = absolute;
    if (host !== undefined && host.toLowerCase() !== named.toLowerCase()) return problems.hostMismatch;
    if (named === '') return problems.malformedHost;
    origin = rest.startsWith('/') ? rest : `/${rest}`;
    host = named;
  }
  const question = origin.indexOf('?');
  return {
    path: question === -1 ? origin : origin.slice(0, question),
    query: question === -1 ? '' : origin.slice(question + 1),
    authority: host ?? '',
  };
}
