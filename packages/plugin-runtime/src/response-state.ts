import { copyOfBody, encodeBody, NO_BYTES } from './body-bytes.ts';
import { checkedEncoding, fieldsOfBody } from './body-fields.ts';
import type { ResponseEdits } from './decision.ts';
import type { ResponseView } from './exchange.ts';
import { HeaderList } from './header-list.ts';
import { readPeerBody, type BodyReader, type PeerWatch } from './peer-body.ts';

/** A response as the host got or made it. */
export interface ResponseParts {
  readonly status: number;
  /** Name and value by turns; taken over, not copied. */
  readonly headers: string[];
  readonly source: ResponseView['source'];
  /** The whole body, where it is at hand. Absent for an upstream's, which the host streams. */
  readonly body?: Uint8Array;
  /** Reads the body that the host streams. Absent: {@link body} or an empty one. */
  readonly readBody?: BodyReader;
  /** What the host needs to stream the body; the runtime only carries it. */
  readonly hostBody?: unknown;
}

/** The response of one exchange: what hooks read, and what their edits made of it. The host sends it as it stands. */
export class ResponseState implements ResponseView {
  readonly #source: ResponseView['source'];
  readonly #headers: HeaderList;
  readonly #hostBody: unknown;
  readonly #readBody: BodyReader | undefined;
  readonly #watch: PeerWatch | undefined;
  #status: number;
  #body: Uint8Array | undefined;

  /** @param watch is told when a hook waits for the body */
  constructor(init: ResponseParts, watch?: PeerWatch) {
    this.#source = init.source;
    this.#headers = new HeaderList(init.headers);
    this.#hostBody = init.hostBody;
    this.#readBody = init.readBody;
    this.#watch = watch;
    this.#status = init.status;
    this.#body = init.body;
  }

  get source(): ResponseView['source'] {
    return this.#source;
  }

  get headers(): HeaderList {
    return this.#headers;
  }

  /** What the host gave to stream the body with. Without meaning once {@link body} is set. */
  get hostBody(): unknown {
    return this.#hostBody;
  }

  get status(): number {
    return this.#status;
  }

  /** The whole body, when a plugin or the gateway made it; `undefined` while the host's own stream is what goes out. */
  get body(): Uint8Array | undefined {
    return this.#body;
  }

  readBody(bytesMax: number, isOptional = false): Promise<Uint8Array | undefined> {
    const isPeers = this.#body === undefined && this.#readBody !== undefined;
    if (isPeers) return readPeerBody(this.#readBody, bytesMax, 'upstream', this.#watch, isOptional);
    return copyOfBody(this.#body ?? NO_BYTES, bytesMax);
  }

  /**
   * Applies a hook's edits.
   * @throws TypeError for edits that are no edits; nothing has changed then
   */
  applyEdits(edits: ResponseEdits): void {
    const { replaceStatus, body } = edits;
    if (replaceStatus !== undefined && !isFinalStatus(replaceStatus)) {
      throw new TypeError('replaceStatus is a whole number from 200 to 599');
    }
    const bytes = body === undefined ? undefined : encodeBody(body);
    checkedEncoding(edits.bodyEncoding);
    if (edits.headers !== undefined) this.headers.apply(edits.headers);
    if (replaceStatus !== undefined) this.#status = replaceStatus;
    if (bytes === undefined) return;
    this.#body = bytes;
    this.headers.apply(fieldsOfBody(bytes, edits.bodyEncoding));
  }
}

// Assigning to a method throws too: hooks of one request share the object.
Object.freeze(ResponseState.prototype);

/** Whether a final answer may have this status. */
export function isFinalStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
}
