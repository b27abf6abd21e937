import type { JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import type { AdapterCall } from '../adapter.ts';
import type { Provider } from '../provider.ts';

/** What vendors that speak OpenAI's way differ in. */
export interface OpenAiDialect {
  readonly forms: ReadonlySet<AiOperation>;
  /** @param key a parameter that carries the key, when a config wants one */
  url(call: AdapterCall, key: readonly [string, string] | undefined): string;
  authorization(key: string): readonly [string, string];
  /** Headers of the vendor's own, name and value by turns. */
  headers?(provider: Provider): readonly string[];
  /** What the body's `model` has to be. `undefined` to leave it as the client wrote it: the address says which model it is. */
  modelField(call: AdapterCall): string | undefined;
  /** Whether the vendor takes `stream_options`. */
  readonly takesStreamOptions: boolean;
  /**
   * The request as the vendor wants it; the very same object when nothing has to be changed.
   * @throws UnsupportedRequestError for what the vendor cannot do
   */
  request?(call: AdapterCall): JsonObject;
  /** The answer as OpenAI would have given it; the very same object when it is. @throws MalformedAnswerError for none */
  answer?(body: JsonObject): JsonObject;
  /** The same for chunks of chats. */
  readonly chunks?: ChunkRewrite;
}

/** How chunks become those of OpenAI. */
export interface ChunkRewrite {
  /** Whether a chunk has to be looked at: a quick look at its text. */
  isSuspect(data: string): boolean;
  /** Whether a chunk says that the model failed. */
  hasFailed(value: JsonObject): boolean;
  /** The very same object when nothing has to be changed. */
  chunk(value: JsonObject): JsonObject;
}
