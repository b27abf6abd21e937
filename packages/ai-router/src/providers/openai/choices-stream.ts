import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import type { StreamEvent, StreamReader } from '../adapter.ts';
import { ChunkTemplate } from './chunk-template.ts';
import { FittingChunk, objectOf, parsedChunk, ScannedChunk } from './chunks.ts';
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
    const events: StreamEvent[] = [];
    const rest = this.#takeFitting(bytes, events);
    if (rest.length > 0) this.#read(this.#parser.push(rest), events);
    return events;
  }

  end(): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    this.#read(this.#parser.end(), events);
    return events;
  }

  /** Takes frames at a piece's beginning that differ from one that is known in their word alone: most of a stream. @returns the rest */
  #takeFitting(piece: Uint8Array, events: StreamEvent[]): Uint8Array {
    const template = this.#template;
    if (template?.isSelfContained !== true || this.#isDone || !this.#parser.isBetweenBlocks) return piece;
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let at = 0;
    for (let end = template.fit(bytes, 0); end !== -1; end = template.fit(bytes, at)) {
      events.push(new FittingChunk(bytes.subarray(at, end), template.textStart, template.textEnd));
      at = end;
    }
    return at === 0 ? bytes : bytes.subarray(at);
  }

  #read(frames: readonly SseFrame[], events: StreamEvent[]): void {
    for (const frame of frames) {
      if (this.#isDone) break;
      const event = this.#event(frame);
      if (event === undefined) continue;
      if (event.type === 'done') this.#isDone = true;
      events.push(event);
    }
  }

  #event(frame: SseFrame): StreamEvent | undefined {
    const template = this.#template;
    if (template !== undefined && frame.isPlain && template.fit(frame.bytes, 0) === frame.bytes.length) {
      return new FittingChunk(frame.bytes, template.textStart, template.textEnd);
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
    const chunk = new ScannedChunk(frame, this.#texts);
    if (!frame.isPlain) return chunk;
    for (const name of this.#texts) {
      const template = ChunkTemplate.of(frame.bytes, name);
      if (template === undefined) continue;
      if (template.fit(frame.bytes, 0) !== frame.bytes.length) continue;
      // A frame that holds text elsewhere too would be counted wrongly by the text of this name alone.
      const byTemplate = new FittingChunk(frame.bytes, template.textStart, template.textEnd);
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
