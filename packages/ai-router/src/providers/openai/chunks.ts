import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk } from '../adapter.ts';
import type { SseFrame } from '../framing/sse.ts';
import { lengthOfStrings } from './json-scan.ts';
import { nonEmpty } from './openai-answer.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { textLengthOf } from './text-length.ts';

/** A chunk that says nothing, for one that cannot be parsed after all. */
const EMPTY_CHUNK: JsonObject = Object.freeze({ object: 'chat.completion.chunk', choices: Object.freeze([]) });

/** A chunk that was not parsed yet, because it tells of text alone. */
export class ScannedChunk implements StreamChunk {
  readonly type = 'chunk';
  readonly #frame: SseFrame;
  readonly #texts: readonly string[];
  readonly #textStart: number;
  readonly #textEnd: number;

  /**
   * @param texts names of the members that hold text, with their closing quotes
   * @param textStart where its only text begins in the frame; -1 when that is not known
   */
  constructor(frame: SseFrame, texts: readonly string[], textStart: number, textEnd: number) {
    this.#frame = frame;
    this.#texts = texts;
    this.#textStart = textStart;
    this.#textEnd = textEnd;
  }

  get bytes(): Uint8Array {
    return this.#frame.bytes;
  }

  value(): JsonObject {
    return objectOf(this.#frame.data ?? '') ?? EMPTY_CHUNK;
  }

  get textLength(): number {
    const { bytes } = this.#frame;
    if (this.#textStart !== -1 && isPlainText(bytes, this.#textStart, this.#textEnd))
      return this.#textEnd - this.#textStart;
    const data = this.#frame.data ?? '';
    let sum = 0;
    for (const name of this.#texts) sum += lengthOfStrings(data, name);
    return sum;
  }
}

/** Whether each byte is a character: ASCII without escapes. */
function isPlainText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === undefined || byte > 127 || byte === 92) return false;
  }
  return true;
}

/** A chunk of a chat or completion with all that it tells. */
export function parsedChunk(value: JsonObject, bytes: Uint8Array | undefined): StreamChunk {
  const choices: readonly unknown[] = Array.isArray(value['choices']) ? value['choices'] : [];
  const usage = readOpenAiUsage(value['usage']);
  const finishReason = choices
    .map((choice) => (isJsonObject(choice) ? nonEmpty(choice['finish_reason']) : undefined))
    .find((reason) => reason !== undefined);
  const model = nonEmpty(value['model']);
  return {
    type: 'chunk',
    value: () => value,
    textLength: textLengthOf(choices),
    ...(bytes === undefined ? {} : { bytes }),
    ...(usage === undefined ? {} : { usage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(model === undefined ? {} : { model }),
    ...(usage !== undefined && choices.length === 0 ? { isUsageOnly: true } : {}),
  };
}

/** The object that a text is, or `undefined`. */
export function objectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
