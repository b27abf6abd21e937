import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { StreamChunk } from '../providers/adapter.ts';

/** Turns what clients say in one form into `chat`, and answers back. Pure. */
export interface Surface {
  readonly operation: AiOperation;
  /** @throws UnsupportedRequestError for what chats cannot say */
  toChat(body: JsonObject): JsonObject;
  /** @param request what `toChat` was given */
  fromChat(answer: JsonObject, request: JsonObject): JsonObject;
  openStream(request: JsonObject): SurfaceStream;
}

/** Turns the events of one stream. Gives text that is ready to be sent. */
export interface SurfaceStream {
  push(chunk: StreamChunk): string;
  /** The stream's proper end. */
  end(): string;
}
