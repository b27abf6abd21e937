import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk, StreamEvent, StreamReader } from '../adapter.ts';
import { type CountsBesideCache, usageBesideCache } from '../chat-form/chat-usage.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { type SseFrame, SseParser } from '../framing/sse.ts';
import { anthropicStreamError } from './anthropic-error.ts';
import { finishReasonOf, noCounts, readCounts } from './anthropic-usage.ts';

/** Reads Anthropic's events for clients that speak Anthropic's form: frames go on as they came. Source: Anthropic, Streaming messages. */
export class AnthropicMessageStream implements StreamReader {
  readonly #parser: SseParser = new SseParser();
  #hasBegun = false;
  #counts: CountsBesideCache = noCounts;

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#parser.push(bytes).map((frame) => this.#read(frame));
  }

  end(): readonly StreamEvent[] {
    return this.#parser.end().map((frame) => this.#read(frame));
  }

  #read(frame: SseFrame): StreamEvent {
    if (frame.data === undefined) return { type: 'comment', bytes: frame.bytes };
    const data = eventJson(frame.data);
    if (data === undefined) return { type: 'unreadable' };
    const type = data['type'] ?? frame.event;
    if (type === 'error') return anthropicStreamError(data);
    if (type === 'message_stop') return { type: 'done', bytes: frame.bytes };
    if (type === 'message_start') this.#hasBegun = true;
    // A `ping` before the message says nothing of it: another provider may still be asked.
    else if (!this.#hasBegun) return type === 'ping' ? { type: 'comment', bytes: frame.bytes } : { type: 'unreadable' };
    return this.#chunk(frame, data, typeof type === 'string' ? type : undefined);
  }

  #chunk(frame: SseFrame, data: JsonObject, name: string | undefined): StreamChunk {
    const chunk: StreamChunk = {
      type: 'chunk',
      value: () => data,
      bytes: frame.bytes,
      textLength: textLengthOf(data),
      ...(name !== undefined && { name }),
    };
    if (name === 'message_start') return { ...chunk, ...this.#usage(data['message']), ...modelOf(data['message']) };
    if (name !== 'message_delta') return chunk;
    const reason = isJsonObject(data['delta']) ? data['delta']['stop_reason'] : undefined;
    return {
      ...chunk,
      ...this.#usage(data),
      ...(typeof reason === 'string' && { finishReason: finishReasonOf(reason) }),
    };
  }

  #usage(holder: unknown): Pick<StreamChunk, 'usage'> {
    this.#counts = readCounts(isJsonObject(holder) ? holder['usage'] : undefined, this.#counts);
    const usage = usageBesideCache(this.#counts);
    return usage === undefined ? {} : { usage };
  }
}

function modelOf(message: unknown): Pick<StreamChunk, 'model'> {
  return isJsonObject(message) && typeof message['model'] === 'string' ? { model: message['model'] } : {};
}

/** Characters that the model wrote in an event, signatures left out. */
function textLengthOf({ delta }: JsonObject): number {
  if (!isJsonObject(delta)) return 0;
  const written = delta['text'] ?? delta['partial_json'] ?? delta['thinking'];
  return typeof written === 'string' ? written.length : 0;
}
