import {
  outboundFailure,
  type Outbound,
  type OutboundRequest,
  type OutboundResponse,
} from '@portcullis/plugin-runtime';
import { readIntrospection, UndecidedTokenError, type ActiveToken } from './introspection-answer.ts';

/** Longest answer of an endpoint that is read, in bytes. */
export const ANSWER_BYTES_MAX = 65_536;

/** Where tokens are introspected. */
export interface IntrospectionEndpoint {
  readonly url: string;
  /** `undefined` where the endpoint asks nobody who they are. */
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** For one token, everything together. */
  readonly timeoutMs: number;
}

/** Asks an endpoint about tokens. Source: RFC 7662, section 2.1. */
export class Introspector {
  readonly #outbound: Outbound;
  readonly #request: OutboundRequest;

  constructor({ url, clientId, clientSecret = '', timeoutMs }: IntrospectionEndpoint, outbound: Outbound) {
    const who = clientId === undefined ? [] : ['authorization', basicOf(clientId, clientSecret)];
    const headers = ['accept', 'application/json', 'content-type', 'application/x-www-form-urlencoded', ...who];
    this.#outbound = outbound;
    // Tokens and secrets go to nobody who listens on the way.
    this.#request = { url, method: 'POST', headers, timeoutMs, responseBytesMax: ANSWER_BYTES_MAX, requiresTls: true };
  }

  /**
   * What the endpoint says of a token; `undefined` when it is not active.
   * @throws as {@link readIntrospection}, and what the way out throws
   */
  async ask(token: string, signal: AbortSignal): Promise<ActiveToken | undefined> {
    const body = String(new URLSearchParams({ token, token_type_hint: 'access_token' }));
    return readIntrospection(await this.#send({ ...this.#request, body, signal }));
  }

  /** One token's claims may be too long, and others' not. */
  async #send(request: OutboundRequest): Promise<OutboundResponse> {
    try {
      return await this.#outbound.request(request);
    } catch (error) {
      if (outboundFailure(error) !== 'too_large') throw error;
      throw new UndecidedTokenError(`the introspection endpoint said more than ${ANSWER_BYTES_MAX} bytes`);
    }
  }
}

/** Both parts are encoded like a form's before they are joined. Source: RFC 6749, section 2.3.1. */
function basicOf(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${formText(id)}:${formText(secret)}`).toString('base64')}`;
}

function formText(text: string): string {
  return String(new URLSearchParams({ '': text })).slice(1);
}
