import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StreamChunk } from '../adapter.ts';
import { lengthOfStrings } from './json-scan.ts';
import { nonEmpty } from './openai-answer.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { textLengthOf } from './text-length.ts';

/** A chunk that says nothing, for one that cannot be parsed after all. */
const EMPTY_CHUNK: JsonObject = Object.freeze({ object: 'chat.completion.chunk', choices: Object.freeze([]) });

/** A chunk that was not parsed yet, because it tells of text alone. */
export class ScannedChunk implements StreamChunk {
  readonly type = 'chunk';
  readonly bytes: Uint8Array;
  readonly #data: string;
  readonly #texts: readonly string[];

  /** @param texts quoted names of the members that hold text */
  constructor(data: string, bytes: Uint8Array, texts: readonly string[]) {
    this.bytes = bytes;
    this.#data = data;
    this.#texts = texts;
  }

  value(): JsonObject {
    return objectOf(this.#data) ?? EMPTY_CHUNK;
  }

  get textLength(): number {
    let sum = 0;
    for (const name of this.#texts) sum += lengthOfStrings(this.#data, name);
    return sum;
  }
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
