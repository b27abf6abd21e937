import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk } from '../adapter.ts';
import type { SseFrame } from '../framing/sse.ts';
import { charactersOf, lengthOfStrings } from './json-scan.ts';
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

  /** @param texts names of the members that hold text, with their closing quotes */
  constructor(frame: SseFrame, texts: readonly string[]) {
    this.#frame = frame;
    this.#texts = texts;
  }

  get bytes(): Uint8Array {
    return this.#frame.bytes;
  }

  value(): JsonObject {
    return objectOf(this.#frame.data ?? '') ?? EMPTY_CHUNK;
  }

  get textLength(): number {
    const data = this.#frame.data ?? '';
    let sum = 0;
    for (const name of this.#texts) sum += lengthOfStrings(data, name);
    return sum;
  }
}

/** One that differs from a chunk that is known in its only text alone: where that is, is known too. */
export class FittingChunk implements StreamChunk {
  readonly type = 'chunk';
  readonly bytes: Buffer;
  readonly textLength: number;

  /** @param bytes one line of data, and the blank line that ends it */
  constructor(bytes: Buffer, textStart: number, textEnd: number) {
    this.bytes = bytes;
    this.textLength = lengthOfText(bytes, textStart, textEnd);
  }

  value(): JsonObject {
    return objectOf(this.bytes.toString('utf8', DATA_FIELD_LENGTH)) ?? EMPTY_CHUNK;
  }
}

/** Of `data:`. */
const DATA_FIELD_LENGTH = 5;

/** Characters of a part of a JSON string. */
function lengthOfText(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== undefined && byte < 128 && byte !== 92) continue;
    const text = bytes.toString('utf8', start, end);
    return charactersOf(text, 0, text.length);
  }
  return end - start;
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
    ...(isJsonObject(value['usage']) && choices.length === 0 ? { isUsageOnly: true } : {}),
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
