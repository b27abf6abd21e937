import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk } from '../../providers/adapter.ts';
import { StreamTooLargeError } from '../../providers/errors.ts';
import type { SurfaceStream } from '../surface.ts';
import { type BlockKind, event, MessageBlocks } from './message-blocks.ts';
import { messageCallId } from './call-id.ts';
import { messageIdOf, messageModel, messagesUsage, stopReasonOf, wantsThinking } from './stop-reason.ts';

/** Calls of tools in one answer. */
const CALLS_MAX = 1024;

type CallKind = Extract<BlockKind, { readonly type: 'tool_use' }>;

/**
 * Writes a chat's stream as the events of a message: `message_start`, each block with its beginning, pieces and end, `message_delta` with
 * the reason and usage, which a chat tells last, and `message_stop`. Of several choices the first counts.
 * Source: Anthropic, Streaming messages.
 */
export class MessageStream implements SurfaceStream {
  readonly #request: JsonObject;
  readonly #wantsThinking: boolean;
  readonly #blocks: MessageBlocks = new MessageBlocks();
  /** Of the chat's `index` of a call, the last call that used it. */
  readonly #calls: Map<number, CallKind> = new Map<number, CallKind>();
  #callCount = 0;
  /** The chat's. */
  #answerId: unknown;
  #lastIndex = 0;
  #hasBegun = false;
  #finishReason: unknown;
  #usage: unknown;

  constructor(request: JsonObject) {
    this.#request = request;
    this.#wantsThinking = wantsThinking(request);
  }

  push(chunk: StreamChunk): string {
    const value = chunk.value();
    const begun = this.#begin(value);
    // Some begin with a chunk that has none.
    if (!isText(this.#answerId)) this.#answerId = value['id'];
    if (isJsonObject(value['usage'])) this.#usage = value['usage'];
    const choices = value['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    // Of several answers only the first is told.
    if (!isJsonObject(choice) || (choice['index'] ?? 0) !== 0) return begun;
    this.#finishReason = choice['finish_reason'] ?? this.#finishReason;
    return isJsonObject(choice['delta']) ? begun + this.#write(choice['delta']) : begun;
  }

  end(): string {
    const begun = this.#begin({});
    const delta = { stop_reason: stopReasonOf(this.#finishReason, this.#callCount > 0), stop_sequence: null };
    return (
      begun +
      this.#blocks.end() +
      event('message_delta', { delta, usage: messagesUsage(this.#usage) }) +
      event('message_stop', {})
    );
  }

  #begin(value: JsonObject): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    const message = {
      id: messageIdOf(value['id']),
      type: 'message',
      role: 'assistant',
      model: messageModel(value, this.#request),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: messagesUsage(value['usage']),
    };
    return event('message_start', { message });
  }

  #write({ content, refusal, reasoning_content: thought, tool_calls: calls }: JsonObject): string {
    let written = '';
    if (this.#wantsThinking && isText(thought)) written += this.#blocks.write({ type: 'thinking' }, thought);
    if (isText(content)) written += this.#blocks.write({ type: 'text' }, content);
    if (isText(refusal)) {
      this.#finishReason = 'content_filter';
      written += this.#blocks.write({ type: 'text' }, refusal);
    }
    if (Array.isArray(calls)) for (const call of calls) if (isJsonObject(call)) written += this.#writeCall(call);
    return written;
  }

  #writeCall(call: JsonObject): string {
    const given = isJsonObject(call['function']) ? call['function'] : {};
    const kind = this.#callOf(call, given['name']);
    if (kind === undefined) return '';
    return this.#blocks.write(kind, typeof given['arguments'] === 'string' ? given['arguments'] : '');
  }

  /**
   * Which call a fragment belongs to: by its index, else to the last one. Some providers give all calls the same index: another ID is
   * another call. A fragment of no call is dropped.
   */
  #callOf({ index, id }: JsonObject, name: unknown): CallKind | undefined {
    const at = typeof index === 'number' ? index : this.#lastIndex;
    this.#lastIndex = at;
    const known = this.#calls.get(at);
    const isNew = known === undefined || (isText(id) && messageCallId(id, this.#answerId, known.key) !== known.id);
    if (!isNew) return known;
    if (!isText(name)) return undefined;
    if (this.#callCount >= CALLS_MAX) throw new StreamTooLargeError('a stream calls too many tools');
    const key = this.#callCount;
    this.#callCount += 1;
    const kind: CallKind = { type: 'tool_use', key, id: messageCallId(id, this.#answerId, key), name };
    this.#calls.set(at, kind);
    return kind;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
