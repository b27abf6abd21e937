import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, StreamEvent, StreamReader } from '../adapter.ts';
import { ChatChunks } from '../chat-form/chat-chunks.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { type SseFrame, SseParser } from '../framing/sse.ts';
import { nonEmpty } from '../openai/openai-answer.ts';
import { readStreamError, streamError } from '../openai/stream-error.ts';
import { cohereFinish, cohereUsage } from './cohere-answer.ts';

/** Events that tell clients of a chat nothing. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'content-end',
  'tool-call-end',
  'citation-start',
  'citation-end',
  'debug',
]);

/** Turns the events of `/v2/chat` into a chat's chunks. Source: Cohere API, chat with streaming. */
export class CohereChatStream implements StreamReader {
  readonly #call: AdapterCall;
  readonly #newId: () => string;
  readonly #parser: SseParser = new SseParser();
  #chunks: ChatChunks | undefined;
  #calls = 0;
  #isDone = false;

  /** @param newId makes an ID for an answer without one */
  constructor(call: AdapterCall, newId: () => string) {
    this.#call = call;
    this.#newId = newId;
  }

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#parser.push(bytes).flatMap((frame) => this.#read(frame));
  }

  end(): readonly StreamEvent[] {
    return this.#parser.end().flatMap((frame) => this.#read(frame));
  }

  #read({ data, event }: SseFrame): readonly StreamEvent[] {
    if (data === undefined || data.trim() === '' || this.#isDone) return [];
    const value = eventJson(data);
    if (value === undefined) return event === 'error' ? [streamError({})] : [{ type: 'unreadable' }];
    const error = readStreamError(value);
    if (error !== undefined) return [error];
    const type = nonEmpty(value['type']) ?? event ?? '';
    if (type === 'error') return [streamError({ code: value['status'] })];
    return this.#readEvent(type, value) ?? [{ type: 'unreadable' }];
  }

  #readEvent(type: string, value: JsonObject): readonly StreamEvent[] | undefined {
    if (type === 'message-start') {
      this.#chunks ??= this.#begin(value);
      return [this.#chunks.role()];
    }
    const chunks = this.#chunks;
    if (chunks === undefined) return undefined;
    if (PASSED_OVER.has(type)) return [];
    const delta = objectIn(value, 'delta');
    const message = objectIn(delta, 'message');
    switch (type) {
      case 'content-start':
      case 'content-delta': {
        const content = objectIn(message, 'content');
        const [text, thinking] = [nonEmpty(content['text']), nonEmpty(content['thinking'])];
        return [
          ...(thinking === undefined ? [] : [chunks.reasoning(thinking)]),
          ...(text === undefined ? [] : [chunks.text(text)]),
        ];
      }
      case 'tool-plan-delta': {
        const plan = nonEmpty(message['tool_plan']);
        return plan === undefined ? [] : [chunks.text(plan)];
      }
      case 'tool-call-start':
        return this.#callStart(chunks, objectIn(message, 'tool_calls'));
      case 'tool-call-delta': {
        const args = nonEmpty(objectIn(objectIn(message, 'tool_calls'), 'function')['arguments']);
        return this.#calls === 0 || args === undefined ? [] : [chunks.callArguments(this.#calls - 1, args)];
      }
      case 'message-end':
        return this.#end(chunks, delta);
      default:
        return undefined;
    }
  }

  #begin(value: JsonObject): ChatChunks {
    const id = nonEmpty(value['id']) ?? `chatcmpl-${this.#newId()}`;
    return new ChatChunks({ id, createdMs: this.#call.nowMs, model: this.#call.model });
  }

  #callStart(chunks: ChatChunks, call: JsonObject): readonly StreamEvent[] | undefined {
    const given = objectIn(call, 'function');
    const [id, name] = [nonEmpty(call['id']), nonEmpty(given['name'])];
    if (id === undefined || name === undefined) return undefined;
    const index = this.#calls;
    this.#calls += 1;
    return [chunks.callStart(index, { id, name, args: nonEmpty(given['arguments']) ?? '' })];
  }

  #end(chunks: ChatChunks, delta: JsonObject): readonly StreamEvent[] {
    const finishReason = cohereFinish(delta['finish_reason']);
    chunks.noteUsage(cohereUsage(delta['usage']));
    const failed = readStreamError(delta);
    if (finishReason === undefined || failed !== undefined)
      return [failed ?? streamError({ code: delta['finish_reason'] })];
    this.#isDone = true;
    const usage = chunks.lastUsage();
    return [chunks.finish(finishReason), ...(usage === undefined ? [] : [usage]), { type: 'done' }];
  }
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
