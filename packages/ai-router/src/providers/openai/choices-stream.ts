import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import type { StreamEvent, StreamReader } from '../adapter.ts';
import { ChunkTemplate } from './chunk-template.ts';
import { objectOf, parsedChunk, ScannedChunk } from './chunks.ts';
import type { ChunkRewrite } from './openai-dialect.ts';
import { type SseFrame, SseParser } from '../framing/sse.ts';
import { maySay } from './json-scan.ts';
import { readStreamError, streamError } from './stream-error.ts';

const DONE = '[DONE]';
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** Where chunks hold text, by form: names and their closing quotes. */
const TEXTS_OF_CHAT: readonly string[] = ['content"', 'reasoning_content"', 'reasoning"', 'refusal"', 'arguments"'];
const TEXTS_OF_COMPLETIONS: readonly string[] = ['text"'];

/**
 * The stream of a chat or completion. The first event is parsed: whether this is such a stream is decided there. Later ones are only looked
 * at, and parsed where they tell of usage, an end or an error, because a stream has hundreds that tell nothing but a word.
 */
export class ChoicesStream implements StreamReader {
  readonly #parser: SseParser = new SseParser();
  readonly #texts: readonly string[];
  readonly #rewrite: ChunkRewrite | undefined;
  #template: ChunkTemplate | undefined;
  #isOpen = false;
  #isDone = false;

  constructor(form: AiOperation, rewrite: ChunkRewrite | undefined) {
    this.#texts = form === 'chat' ? TEXTS_OF_CHAT : TEXTS_OF_COMPLETIONS;
    this.#rewrite = rewrite;
  }

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
      const event = this.#event(frame);
      if (event === undefined) continue;
      if (event.type === 'done') this.#isDone = true;
      events.push(event);
    }
    return events;
  }

  #event(frame: SseFrame): StreamEvent | undefined {
    if (this.#template !== undefined && frame.isPlain) {
      const textEnd = this.#template.fit(frame.bytes);
      if (textEnd !== -1) return new ScannedChunk(frame, this.#texts, this.#template.textStart, textEnd);
    }
    const { data } = frame;
    if (data === undefined) return { type: 'comment', bytes: frame.bytes };
    if (this.#isOpen && frame.event === undefined && this.#tellsOnlyText(data)) return this.#scanned(frame);
    const text = data.trim();
    // Clients parse the data of each event: an empty one, which some send to keep connections alive, is not for them.
    if (text === '') return undefined;
    return text === DONE ? { type: 'done', bytes: frame.bytes } : this.#parsed(objectOf(text), frame);
  }

  #scanned(frame: SseFrame): StreamEvent {
    const chunk = new ScannedChunk(frame, this.#texts, -1, -1);
    if (!frame.isPlain) return chunk;
    for (const name of this.#texts) {
      const template = ChunkTemplate.of(frame.bytes, name);
      if (template === undefined) continue;
      // A frame that holds text elsewhere too would be counted wrongly by the text of this name alone.
      const byTemplate = new ScannedChunk(frame, this.#texts, template.textStart, template.fit(frame.bytes));
      if (byTemplate.textLength !== chunk.textLength) continue;
      this.#template = template;
      break;
    }
    return chunk;
  }

  #parsed(value: JsonObject | undefined, frame: SseFrame): StreamEvent {
    if (frame.event === 'error') return (value && readStreamError(value)) ?? streamError(value ?? {});
    if (value === undefined) return { type: 'unreadable' };
    const error = readStreamError(value);
    if (error !== undefined) return error;
    const choices = Object.hasOwn(value, 'choices') ? value['choices'] : undefined;
    const isChunk = Array.isArray(choices)
      ? choices.every(isJsonObject)
      : this.#isOpen && choices === undefined && isJsonObject(value['usage']);
    if (!isChunk) return { type: 'unreadable' };
    this.#isOpen = true;
    if (this.#rewrite?.hasFailed(value) === true) return streamError({});
    const rewritten = this.#rewrite?.chunk(value) ?? value;
    if (rewritten === value) return parsedChunk(value, frame.bytes);
    return canBeWritten(rewritten) ? parsedChunk(rewritten, undefined) : { type: 'unreadable' };
  }

  #tellsOnlyText(data: string): boolean {
    return (
      data.charCodeAt(0) === OPEN_OBJECT &&
      data.charCodeAt(data.length - 1) === CLOSE_OBJECT &&
      !maySay(data, 'finish_reason"') &&
      !maySay(data, 'usage"') &&
      !maySay(data, 'error"') &&
      !(this.#rewrite?.isSuspect(data) ?? false)
    );
  }
}

/** What is nested too deeply can be parsed, but not be written again. */
function canBeWritten(value: JsonObject): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
