import {
  answerTexts,
  chunkTexts,
  dropLogprobs,
  type AiOperation,
  type JsonObject,
  type TextPlace,
} from '@portcullis/ai-router';
import type { BodyText } from '../bodies/readable-body.ts';
import { operationOfAnswer } from './asked-operation.ts';
import { jsonShape, memberCount } from './json-shape.ts';
import { pathPieces } from './path-pieces.ts';
import { DATA_DEPTH_MAX, DATA_FIELD, lineParts, streamParts, type StreamPart } from './sse-text.ts';

/**
 * The text of an answer, whatever form it is in: one JSON value, an event stream, lines of JSON, or words alone. Texts that are changed in
 * place show in {@link written}.
 */
export interface AnswerDocument {
  /** Whose form it is; `undefined` for nobody's that is known. */
  readonly form: AiOperation | undefined;
  readonly isStream: boolean;
  /** The values that it is made of: one, or that of each event. */
  readonly values: readonly JsonObject[];
  /** All texts that somebody may read in it. */
  places(): readonly TextPlace[];
  /** All of it anew. */
  written(): string;
  /** What was read, so that nobody reads it otherwise: a text in which a name stands twice is written anew. */
  exact(): string;
  /** Takes out what repeats texts, token by token. */
  dropRepetitions(): void;
}

/** Reads an answer. @returns `undefined` for one with too many levels */
export function answerDocument({ text, type }: Pick<BodyText, 'text' | 'type'>): AnswerDocument | undefined {
  if (type === 'text/event-stream') return ofParts(text, streamParts(text));
  if (LINE_TYPES.has(type)) return ofParts(text, lineParts(text));
  return ofWhole(text);
}

/** Types of streams that are lines of JSON. */
const LINE_TYPES: ReadonlySet<string> = new Set(['application/x-ndjson', 'application/ndjson', 'application/jsonl']);

function ofWhole(text: string): AnswerDocument | undefined {
  const holder: JsonObject = { [DATA_FIELD]: text };
  const words = documentOf(
    undefined,
    false,
    [holder],
    () => String(holder[DATA_FIELD]),
    () => text,
  );
  if (!/^\s*["[{]/.test(text)) return words;
  const { depth, members } = jsonShape(text);
  if (depth > DATA_DEPTH_MAX) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return words;
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const value = isObject ? (parsed as JsonObject) : { [DATA_FIELD]: parsed };
  const written = (): string => JSON.stringify(isObject ? value : value[DATA_FIELD]);
  const isAmbiguous = memberCount(parsed) !== members;
  return documentOf(operationOfAnswer(value), false, [value], written, isAmbiguous ? written : () => text);
}

function ofParts(text: string, parts: readonly StreamPart[]): AnswerDocument | undefined {
  if (parts.some(({ shape }) => shape.depth > DATA_DEPTH_MAX)) return undefined;
  const values = parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const form = values.map(operationOfAnswer).find((found) => found !== undefined);
  const written = (): string => parts.map((part) => part.write()).join('');
  const isAmbiguous = parts.some(({ shape }) => shape.isAmbiguous);
  return documentOf(form, true, values, written, isAmbiguous ? written : () => text);
}

function documentOf(
  form: AiOperation | undefined,
  isStream: boolean,
  values: readonly JsonObject[],
  written: () => string,
  exact: () => string,
): AnswerDocument {
  return {
    form,
    isStream,
    values,
    places: () => placesIn(form, isStream, values),
    written,
    exact,
    dropRepetitions: () => values.forEach(dropLogprobs),
  };
}

function placesIn(
  form: AiOperation | undefined,
  isStream: boolean,
  values: readonly JsonObject[],
): readonly TextPlace[] {
  if (form === undefined) return values.flatMap((value) => pathPieces(value));
  if (form === 'embeddings') return values.flatMap((value) => pathPieces(value, VECTORS));
  return values.flatMap((value, at) => (isStream ? chunkTexts(form, value, at) : answerTexts(form, value)));
}

/** Vectors in base64 are texts that nobody reads. */
const VECTORS: ReadonlySet<string> = new Set(['embedding']);
