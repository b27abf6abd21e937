import { copyOfBody, encodeBody, NO_BYTES } from './body-bytes.ts';
import { checkedEdits, type CheckedEdits } from './checked-edits.ts';
import { checkedEncoding, fieldsOfBody } from './body-fields.ts';
import { checkedResponder } from './checked-responder.ts';
import { checkedDestination, type Destination } from './destination.ts';
import type { RequestEdits } from './decision.ts';
import type { RequestView } from './exchange.ts';
import { HeaderList } from './header-list.ts';
import type { Responder } from './responder.ts';
import { readPeerBody, type BodyReader, type PeerWatch } from './peer-body.ts';

/** A request as the host received it and would forward it. */
export interface RequestParts {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Host in lower case, without the port. */
  readonly host: string;
  /** Host with the port where one was given. Default: `host`. */
  readonly authority?: string;
  /** The normalised path that is forwarded. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  /** Characters of the path that the route strips; see `RequestView.forwardedPath`. Default 0. */
  readonly strippedLength?: number;
  /** Name and value by turns; taken over, not copied. */
  readonly headers: string[];
  readonly clientIp: string;
  /** Default false. */
  readonly isFromTrustedPeer?: boolean;
  /** Default false. */
  readonly isCopy?: boolean;
  /** Fields that say who the client is, of a trusted peer: name and value by turns. Asked for at most when a plugin asks. Default: none. */
  readonly peerClaims?: (() => readonly string[]) | undefined;
  /** Asked for at most when a plugin asks. Default: none. */
  readonly peerCertificates?: () => readonly Uint8Array[];
  /** See `RequestView.isPeerVerified`. Default false. */
  readonly isPeerVerified?: boolean;
  /** Absent: the request has no body. */
  readonly readBody?: BodyReader | undefined;
}

/** The request of one exchange: what hooks read, and what their edits made of it. The host forwards it as it stands. */
export class RequestState implements RequestView {
  readonly #method: string;
  readonly #scheme: 'http' | 'https';
  readonly #host: string;
  readonly #clientIp: string;
  readonly #isFromTrustedPeer: boolean;
  readonly #isCopy: boolean;
  readonly #peerCertificates: RequestParts['peerCertificates'];
  readonly #isPeerVerified: boolean;
  readonly #peerClaims: RequestParts['peerClaims'];
  readonly #headers: HeaderList;
  #headerEdits: CheckedEdits[] | undefined;
  readonly #authority: string;
  readonly #readBody: BodyReader | undefined;
  readonly #watch: PeerWatch | undefined;
  readonly #clientPath: string;
  readonly #strippedLength: number;
  #path: string;
  #query: string;
  #destination: Destination | undefined;
  #responder: Responder | undefined;
  #body: Uint8Array | undefined;

  /** @param watch is told when a hook waits for the client's body */
  constructor(init: RequestParts, watch?: PeerWatch) {
    this.#method = init.method;
    this.#scheme = init.scheme;
    this.#host = init.host;
    this.#clientIp = init.clientIp;
    this.#isFromTrustedPeer = init.isFromTrustedPeer === true;
    this.#isCopy = init.isCopy === true;
    this.#peerCertificates = init.peerCertificates;
    this.#isPeerVerified = init.isPeerVerified === true;
    this.#peerClaims = init.peerClaims;
    this.#headers = new HeaderList(init.headers);
    this.#authority = init.authority ?? init.host;
    this.#readBody = init.readBody;
    this.#watch = watch;
    this.#clientPath = init.path;
    this.#strippedLength = init.strippedLength ?? 0;
    this.#path = init.path;
    this.#query = init.query;
  }

  get method(): string {
    return this.#method;
  }

  get scheme(): 'http' | 'https' {
    return this.#scheme;
  }

  get host(): string {
    return this.#host;
  }

  get clientIp(): string {
    return this.#clientIp;
  }

  get isFromTrustedPeer(): boolean {
    return this.#isFromTrustedPeer;
  }

  get isCopy(): boolean {
    return this.#isCopy;
  }

  claimsOfPeer(name: string): readonly string[] {
    if (!this.#isFromTrustedPeer || this.#peerClaims === undefined) return NO_CLAIMS;
    const wanted = name.toLowerCase();
    const claims = this.#peerClaims();
    return claims.filter((_part, at) => at % 2 === 1 && claims[at - 1]?.toLowerCase() === wanted);
  }

  peerCertificates(): readonly Uint8Array[] {
    return this.#peerCertificates?.() ?? NO_CERTIFICATES;
  }

  get isPeerVerified(): boolean {
    return this.#isPeerVerified;
  }

  get headers(): HeaderList {
    return this.#headers;
  }

  get path(): string {
    return this.#path;
  }

  get query(): string {
    return this.#query;
  }

  get clientPath(): string {
    return this.#clientPath;
  }

  get forwardedPath(): string {
    if (this.#strippedLength === 0 || this.#path !== this.#clientPath) return this.#path;
    const rest = this.#path.slice(this.#strippedLength);
    return rest === '' || rest.startsWith('/') ? rest : `/${rest}`;
  }

  get hasBody(): boolean {
    return this.#body === undefined ? this.#readBody !== undefined : this.#body.length > 0;
  }

  get destination(): Destination | undefined {
    return this.#destination;
  }

  /** Who answers the request in place of its service or a destination; `undefined` while no plugin has said so. For the host. */
  get responder(): Responder | undefined {
    return this.#responder;
  }

  get url(): string {
    return `${this.scheme}://${this.#authority}${this.#path}${this.#query === '' ? '' : `?${this.#query}`}`;
  }

  /** The body that a plugin put in place of the client's; `undefined` while it is the client's that goes on. */
  get body(): Uint8Array | undefined {
    return this.#body;
  }

  readBody(bytesMax: number, isOptional = false): Promise<Uint8Array | undefined> {
    const isPeers = this.#body === undefined && this.#readBody !== undefined;
    if (isPeers) return readPeerBody(this.#readBody, bytesMax, 'client', this.#watch, isOptional);
    return copyOfBody(this.#body ?? NO_BYTES, bytesMax);
  }

  /** Names of the fields that edits were about, in lower case, also of those that are not there: plugins have decided on them. */
  get editedNames(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const edits of this.#headerEdits ?? []) {
      for (let at = 0; at < edits.length; at += 3) {
        names.add((edits[at + 1] ?? '').toLowerCase());
        if (edits[at] === 'rename') names.add((edits[at + 2] ?? '').toLowerCase());
      }
    }
    return names;
  }

  /**
   * Applies a request hook's edits, but those that are not about the request itself.
   * @throws TypeError for edits that are no edits; nothing has changed then
   */
  applyEdits(edits: RequestEdits): void {
    const { path, query, body } = edits;
    if (path !== undefined && !isPath(path)) throw new TypeError('an edit has a path that no request may have');
    if (query !== undefined && !isQuery(query)) throw new TypeError('an edit has a query that no request may have');
    const destination = edits.destination === undefined ? undefined : checkedDestination(edits.destination);
    const responder = edits.responder === undefined ? undefined : checkedResponder(edits.responder);
    const bytes = body === undefined ? undefined : encodeBody(body);
    checkedEncoding(edits.bodyEncoding);
    if (edits.headers !== undefined) {
      const checked = checkedEdits(edits.headers);
      this.#headers.applyChecked(checked);
      (this.#headerEdits ??= []).push(checked);
    }
    if (path !== undefined) this.#path = path;
    if (query !== undefined) this.#query = query;
    if (destination !== undefined) this.#destination = destination;
    if (responder !== undefined) this.#responder = responder;
    if (bytes === undefined) return;
    this.#body = bytes;
    this.headers.apply(fieldsOfBody(bytes, edits.bodyEncoding));
  }
}

// Assigning to a method throws too: hooks of one request share the object.
Object.freeze(RequestState.prototype);

const NO_CLAIMS: readonly string[] = Object.freeze([]);
const NO_CERTIFICATES: readonly Uint8Array[] = Object.freeze([]);

/** A request target may hold visible ASCII only; the first `/` keeps it in origin form. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/[\x21-\x22\x24-\x3e\x40-\x7e]*$/.test(value);
}

function isQuery(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x22\x24-\x7e]*$/.test(value);
}
