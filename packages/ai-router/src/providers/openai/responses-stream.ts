import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk, StreamEvent, StreamReader } from '../adapter.ts';
import { type SseFrame, SseParser } from '../framing/sse.ts';
import { objectOf } from './chunks.ts';
import { nonEmpty } from './openai-answer.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { responseFinishReason } from './responses-finish.ts';
import { readStreamError, streamError } from './stream-error.ts';

const NO_BYTES = new Uint8Array();

/**
 * The stream of a response: named events, the last of which is `response.completed` or `response.incomplete`. No frame of its own says that
 * it is over. Source: OpenAI API, streaming events of responses.
 */
export class ResponsesStream implements StreamReader {
  readonly #parser: SseParser = new SseParser();
  #isDone = false;

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#read(this.#parser.push(bytes));
  }

  end(): readonly StreamEvent[] {
    return this.#read(this.#parser.end());
  }

  #read(frames: readonly SseFrame[]): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const frame of frames) {
      if (this.#isDone) break;
      if (frame.data === undefined) events.push({ type: 'comment', bytes: frame.bytes });
      else if (frame.data.trim() !== '') this.#add(events, frame, frame.data);
    }
    return events;
  }

  #add(events: StreamEvent[], frame: SseFrame, data: string): void {
    const value = objectOf(data);
    if (frame.event === 'error' || value?.['type'] === 'error') {
      events.push((value && readStreamError(value)) ?? streamError(withoutType(value)));
      return;
    }
    const type = value === undefined ? undefined : nonEmpty(value['type']);
    if (value === undefined || type === undefined || !type.startsWith('response.')) {
      // An object without `type` may still be an error, in the form of chats.
      events.push((value && readStreamError(value)) ?? { type: 'unreadable' });
      return;
    }
    const response = isJsonObject(value['response']) ? value['response'] : undefined;
    if (type === 'response.failed') {
      events.push((response && readStreamError(response)) ?? streamError({}));
      return;
    }
    const isLast = type === 'response.completed' || type === 'response.incomplete';
    events.push(chunkOf(value, type, response, isLast, frame.bytes));
    if (!isLast) return;
    this.#isDone = true;
    events.push({ type: 'done', bytes: NO_BYTES });
  }
}

function chunkOf(
  value: JsonObject,
  name: string,
  response: JsonObject | undefined,
  isLast: boolean,
  bytes: Uint8Array,
): StreamChunk {
  const usage = readOpenAiUsage(response?.['usage']);
  const finishReason = isLast ? responseFinishReason(response ?? {}) : undefined;
  const model = nonEmpty(response?.['model']);
  return {
    type: 'chunk',
    value: () => value,
    name,
    bytes,
    textLength: name.endsWith('.delta') && typeof value['delta'] === 'string' ? value['delta'].length : 0,
    ...(usage === undefined ? {} : { usage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(model === undefined ? {} : { model }),
  };
}

/** `error` is the event's type there, and says nothing of the error. */
function withoutType(value: JsonObject | undefined): JsonObject {
  const { type: _type, ...rest } = value ?? {};
  return rest;
}
