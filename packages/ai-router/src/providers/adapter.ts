import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { Usage } from '../usage.ts';
import type { Provider } from './provider.ts';

/*
 * What the engine knows of a provider's way of speaking. An adapter is pure: it makes requests and reads answers and does no I/O. It speaks
 * one or more forms (see `AiOperation`): for those it takes a client's JSON as it is and gives answers in the same form, whatever the provider
 * itself speaks. Every adapter for chats speaks `chat`; what a client says in another form that the adapter does not speak is turned into
 * `chat` and back by the client's surface (`surfaces/`).
 */

/** What a provider is called with. Which are there depends on its type. */
export interface Credential {
  readonly apiKey?: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
}

/** One call of a provider. */
export interface AdapterCall {
  /** The form of `body`, of the answer and of stream events: one of the adapter's {@link ProviderAdapter.forms}. */
  readonly operation: AiOperation;
  /** Never changed in place. Its `model` is what the client asked for. */
  readonly body: JsonObject;
  /** The bytes that `body` was read from, when it is exactly what they say; an adapter that would change nothing sends them. */
  readonly bytes?: Uint8Array;
  /** What the provider calls the model. */
  readonly model: string;
  readonly stream: boolean;
  /** Whether the engine wants usage in the stream although the client did not ask for it. */
  readonly wantsStreamUsage: boolean;
  readonly provider: Provider;
  readonly credential: Credential;
  /** Headers of the client for this vendor, name and value by turns, names in lower case: see `vendor-headers.ts`. */
  readonly vendorHeaders?: readonly string[];
  /** For signatures. */
  readonly nowMs: number;
}

/** A request that is ready to be sent by `POST`. */
export interface PreparedRequest {
  readonly url: string;
  /** Name and value by turns. `content-type` and `accept` are there; `accept-encoding: identity` for streams. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

/** A whole answer in the form of the call. */
export interface ReadAnswer {
  readonly body: JsonObject;
  /** Whether `body` is what the provider sent, so that its bytes may go on as they are. */
  readonly isOriginal: boolean;
  readonly usage?: Usage;
  /** As OpenAI names them: `stop`, `length`, `tool_calls`, `content_filter`. */
  readonly finishReason?: string;
  /** What the provider says that answered. */
  readonly model?: string;
  /** Characters of text that the model wrote, for an estimate where `usage` is missing. */
  readonly textLength: number;
}

/** What a stream gave. */
export type StreamEvent =
  | StreamChunk
  /** The provider says within its stream that it failed. `type` is its own word, for instance `overloaded_error`. */
  | { readonly type: 'error'; readonly errorType: string; readonly status?: number }
  /** The provider's own end of the stream (`[DONE]`, `message_stop`). `bytes`: its frame, when the form is the provider's own. */
  | { readonly type: 'done'; readonly bytes?: Uint8Array }
  /** Nothing but a comment: it keeps connections alive, and is no sign that the provider answers. May go on once the answer has begun. */
  | { readonly type: 'comment'; readonly bytes: Uint8Array }
  /** An event that cannot be read among others; it is counted, and not fatal. */
  | { readonly type: 'unreadable' };

/** One event of the call's form. */
export interface StreamChunk {
  readonly type: 'chunk';
  /** In the form of the call: an OpenAI chunk, or the data of an Anthropic event. May parse on each call. */
  value(): JsonObject;
  /** The name of the event, in forms that have names (`messages`). */
  readonly name?: string;
  /** The frame as it came, its blank line included, when it is in the call's form already. */
  readonly bytes?: Uint8Array;
  /** What is known of usage so far; each takes the place of the one before. */
  readonly usage?: Usage;
  readonly finishReason?: string;
  readonly model?: string;
  /** Characters of text and of tool arguments in it. */
  readonly textLength: number;
  /** Whether it holds usage and nothing else: it is not for clients that did not ask for it. */
  readonly isUsageOnly?: boolean;
}

/** Reads a stream piece by piece. Holds at most one event of `EVENT_BYTES_MAX`. */
export interface StreamReader {
  /**
   * @throws StreamTooLargeError for an event above the bound
   * @throws MalformedAnswerError when nothing more can be read of the stream: its frames are damaged
   */
  push(bytes: Uint8Array): readonly StreamEvent[];
  /** The provider closed the stream: what was left. */
  end(): readonly StreamEvent[];
}

/** See the head of this file. */
export interface ProviderAdapter {
  readonly forms: ReadonlySet<AiOperation>;
  /** Content types of a stream's answer, the essence in lower case, for instance `text/event-stream`. */
  readonly streamTypes: ReadonlySet<string>;
  /** @throws UnsupportedRequestError, or rejects with one, for what the provider cannot do */
  prepare(call: AdapterCall): PreparedRequest | Promise<PreparedRequest>;
  /** @throws MalformedAnswerError for an object that is no answer of this provider */
  readAnswer(call: AdapterCall, body: JsonObject): ReadAnswer;
  /** A valid error of the provider as the call's form tells it. Default: as it came. */
  readError?(call: AdapterCall, status: number, body: JsonObject): JsonObject;
  openStream(call: AdapterCall): StreamReader;
}
