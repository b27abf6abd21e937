import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, StreamChunk, StreamEvent, StreamReader } from '../adapter.ts';
import { ChatChunks } from '../chat-form/chat-chunks.ts';
import { chatUsage } from '../chat-form/chat-usage.ts';
import { eventJson } from '../chat-form/event-json.ts';
import { answerJson } from '../chat-form/json-text.ts';
import { MalformedAnswerError } from '../errors.ts';
import { JsonLines } from '../framing/json-lines.ts';
import { nonEmpty } from '../openai/openai-answer.ts';
import { readStreamError } from '../openai/stream-error.ts';
import { ollamaCalls, ollamaFinish, ollamaUsage } from './ollama-answer.ts';

/** Turns one object of a stream into events; `undefined` for what is none of the form's. */
type ReadLine = (line: JsonObject) => readonly StreamEvent[] | undefined;

/** Reads the lines of a stream. The last one says `done`. */
class OllamaStream implements StreamReader {
  readonly #lines: JsonLines = new JsonLines();
  readonly #read: ReadLine;
  #isDone = false;

  constructor(read: ReadLine) {
    this.#read = read;
  }

  push(bytes: Uint8Array): readonly StreamEvent[] {
    return this.#events(this.#lines.push(bytes));
  }

  end(): readonly StreamEvent[] {
    return this.#events(this.#lines.end());
  }

  #events(lines: readonly string[]): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const text of lines) {
      if (this.#isDone) break;
      const line = eventJson(text);
      const error = line && readStreamError(line);
      const read = line && error === undefined ? readSafely(this.#read, line) : undefined;
      if (error !== undefined) events.push(error);
      else if (read === undefined) events.push({ type: 'unreadable' });
      else {
        events.push(...read);
        this.#isDone = line?.['done'] === true;
      }
    }
    return events;
  }
}

/** One bad line among good ones is no end of the stream. */
function readSafely(read: ReadLine, line: JsonObject): readonly StreamEvent[] | undefined {
  try {
    return read(line);
  } catch (error) {
    if (error instanceof MalformedAnswerError) return undefined;
    throw error;
  }
}

/** The stream of `/api/chat` as chunks of a chat. Calls of tools come whole. */
export function ollamaChatStream(call: AdapterCall, newId: () => string): StreamReader {
  let chunks: ChatChunks | undefined;
  let calls = 0;
  return new OllamaStream((line) => {
    const message = line['message'];
    if (!isJsonObject(message)) return undefined;
    const made = ollamaCalls(message, newId).map((given) => ({ ...given, args: answerJson(given.input) }));
    const events: StreamEvent[] = [];
    if (chunks === undefined) {
      chunks = new ChatChunks({
        id: `chatcmpl-${newId()}`,
        createdMs: call.nowMs,
        model: nonEmpty(line['model']) ?? call.model,
      });
      events.push(chunks.role());
    }
    const [thinking, content] = [nonEmpty(message['thinking']), nonEmpty(message['content'])];
    if (thinking !== undefined) events.push(chunks.reasoning(thinking));
    if (content !== undefined) events.push(chunks.text(content));
    for (const { id, name, args } of made) events.push(chunks.callStart(calls++, { id, name, args }));
    if (line['done'] !== true) return events;
    chunks.noteUsage(ollamaUsage(line));
    events.push(chunks.finish(ollamaFinish(line, calls > 0)));
    const usage = chunks.lastUsage();
    return [...events, ...(usage === undefined ? [] : [usage]), { type: 'done' }];
  });
}

/** The stream of `/api/generate` as chunks of a completion. */
export function ollamaCompletionStream(call: AdapterCall, newId: () => string): StreamReader {
  let head: JsonObject | undefined;
  return new OllamaStream((line) => {
    const text = line['response'];
    if (typeof text !== 'string') return undefined;
    const model = nonEmpty(line['model']) ?? call.model;
    head ??= { id: `cmpl-${newId()}`, object: 'text_completion', created: Math.floor(call.nowMs / 1000), model };
    const isDone = line['done'] === true;
    const events: StreamEvent[] = [];
    if (text !== '' || isDone)
      events.push(textChunk(head, model, text, isDone ? ollamaFinish(line, false) : undefined));
    if (!isDone) return events;
    const usage = ollamaUsage(line);
    if (usage !== undefined) {
      const value = { ...head, choices: [], usage: chatUsage(usage) };
      events.push({ type: 'chunk', value: () => value, model, usage, textLength: 0, isUsageOnly: true });
    }
    return [...events, { type: 'done' }];
  });
}

function textChunk(head: JsonObject, model: string, text: string, finishReason: string | undefined): StreamChunk {
  const value = { ...head, choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason ?? null }] };
  return {
    type: 'chunk',
    value: () => value,
    model,
    textLength: text.length,
    ...(finishReason !== undefined && { finishReason }),
  };
}
