import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, StreamEvent, StreamReader } from '../adapter.ts';
import { type CountsBesideCache, usageBesideCache } from '../chat-form/chat-usage.ts';
import { ChatChunks } from '../chat-form/chat-chunks.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { OpenCalls } from '../chat-form/open-calls.ts';
import { type SseFrame, SseParser } from '../framing/sse.ts';
import { anthropicStreamError } from './anthropic-error.ts';
import { finishReasonOf, noCounts, readCounts } from './anthropic-usage.ts';

/** What a `ping` is to who reads chats: it keeps the connection alive while a model thinks. */
const PING: Uint8Array = Buffer.from(': ping\n\n');

/** Turns Anthropic's events into a chat's chunks. Fragments of arguments go on as they come. Source: Anthropic, Streaming messages. */
export class AnthropicChatStream implements StreamReader {
  readonly #call: AdapterCall;
  readonly #parser: SseParser = new SseParser();
  readonly #calls: OpenCalls = new OpenCalls();
  #chunks: ChatChunks | undefined;
  #counts: CountsBesideCache = noCounts;

  constructor(call: AdapterCall) {
    this.#call = call;
  }

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#parser.push(bytes).flatMap((frame) => this.#read(frame));
  }

  end(): readonly StreamEvent[] {
    return this.#parser.end().flatMap((frame) => this.#read(frame));
  }

  #read(frame: SseFrame): readonly StreamEvent[] {
    if (frame.data === undefined) return [{ type: 'comment', bytes: frame.bytes }];
    const data = eventJson(frame.data);
    if (data === undefined) return [{ type: 'unreadable' }];
    switch (data['type'] ?? frame.event) {
      case 'message_start':
        return this.#start(data['message']);
      case 'content_block_start':
        return this.#blockStart(data);
      case 'content_block_delta':
        return this.#blockDelta(data);
      case 'content_block_stop':
        return this.#chunks === undefined ? [] : this.#calls.end(this.#chunks, data['index']);
      case 'message_delta':
        return this.#messageDelta(data);
      case 'message_stop':
        return this.#stop();
      case 'error':
        return [anthropicStreamError(data)];
      case 'ping':
        return [{ type: 'comment', bytes: PING }];
      default:
        // What Anthropic may add one day.
        return [];
    }
  }

  #start(message: unknown): readonly StreamEvent[] {
    if (!isJsonObject(message)) return [{ type: 'unreadable' }];
    const { id, model } = message;
    this.#counts = readCounts(message['usage'], this.#counts);
    this.#chunks = new ChatChunks({
      id: typeof id === 'string' ? id : 'msg',
      createdMs: this.#call.nowMs,
      model: typeof model === 'string' ? model : this.#call.model,
    });
    this.#chunks.noteUsage(usageBesideCache(this.#counts));
    return [this.#chunks.role()];
  }

  #blockStart({ index, content_block: block }: JsonObject): readonly StreamEvent[] {
    const chunks = this.#chunks;
    if (chunks === undefined || typeof index !== 'number' || !isJsonObject(block)) return [{ type: 'unreadable' }];
    if (block['type'] !== 'tool_use') return writing(chunks, block);
    const { id, name, input } = block;
    if (typeof id !== 'string' || typeof name !== 'string') return [{ type: 'unreadable' }];
    return this.#calls.begin(chunks, index, { id, name }, isJsonObject(input) ? input : {});
  }

  #blockDelta({ index, delta }: JsonObject): readonly StreamEvent[] {
    const chunks = this.#chunks;
    if (chunks === undefined || !isJsonObject(delta)) return [{ type: 'unreadable' }];
    if (delta['type'] !== 'input_json_delta') return writing(chunks, delta);
    return this.#calls.fill(chunks, index, delta['partial_json']);
  }

  #messageDelta(data: JsonObject): readonly StreamEvent[] {
    const chunks = this.#chunks;
    if (chunks === undefined) return [{ type: 'unreadable' }];
    this.#counts = readCounts(data['usage'], this.#counts);
    chunks.noteUsage(usageBesideCache(this.#counts));
    const reason = isJsonObject(data['delta']) ? data['delta']['stop_reason'] : undefined;
    return typeof reason === 'string' ? [chunks.finish(finishReasonOf(reason))] : [];
  }

  #stop(): readonly StreamEvent[] {
    const usage = this.#chunks?.lastUsage();
    return usage === undefined ? [{ type: 'done' }] : [usage, { type: 'done' }];
  }
}

/** What the beginning of a block or a piece of it writes. Others hold signatures and citations. */
function writing(chunks: ChatChunks, { type, text, thinking }: JsonObject): readonly StreamEvent[] {
  if ((type === 'text' || type === 'text_delta') && typeof text === 'string' && text !== '') return [chunks.text(text)];
  if ((type === 'thinking' || type === 'thinking_delta') && typeof thinking === 'string' && thinking !== '') {
    return [chunks.reasoning(thinking)];
  }
  return [];
}
