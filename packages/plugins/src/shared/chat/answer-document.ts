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
import { isBounded, jsonShape, memberCount, VALUES_MAX } from './json-shape.ts';
import { pathPieces } from './path-pieces.ts';
import { DATA_FIELD, lineParts, streamParts, type StreamPart } from './sse-text.ts';

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

/** Reads an answer. @returns `undefined` for one with too many levels, values or events */
export function answerDocument({ text, type }: Pick<BodyText, 'text' | 'type'>): AnswerDocument | undefined {
  if (type === 'text/event-stream') return ofParts(text, streamParts);
  if (LINE_TYPES.has(type)) return ofParts(text, lineParts);
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
  const shape = jsonShape(text);
  if (!isBounded(shape)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return words;
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const value = isObject ? (parsed as JsonObject) : { [DATA_FIELD]: parsed };
  const written = (): string => JSON.stringify(isObject ? value : value[DATA_FIELD]);
  const isAmbiguous = memberCount(parsed) !== shape.members;
  return documentOf(operationOfAnswer(value), false, [value], written, isAmbiguous ? written : () => text);
}

function ofParts(text: string, read: (text: string) => readonly StreamPart[]): AnswerDocument | undefined {
  // Before they are read: an event takes memory of its own, and so does each value.
  if (!isBoundedStream(text)) return undefined;
  const parts = read(text);
  return parts.some(({ shape }) => !isBounded(shape)) ? undefined : ofEvents(text, parts);
}

/** Line breaks of a stream that is read: two to six stand for each event. */
export const LINE_BREAKS_MAX = 250_000;

/** Marks within texts count like those between values: an honest stream has far fewer of both. */
function isBoundedStream(text: string): boolean {
  let breaks = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === LF || unit === CR) breaks += 1;
    else if (unit === COMMA || unit === OPEN_LIST || unit === OPEN_OBJECT) values += 1;
  }
  return breaks <= LINE_BREAKS_MAX && values <= VALUES_MAX;
}

const LF = 10;
const CR = 13;
const COMMA = 44;
const OPEN_LIST = 91;
const OPEN_OBJECT = 123;

function ofEvents(text: string, parts: readonly StreamPart[]): AnswerDocument {
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

/** All texts that somebody may read in values of a form. */
export function placesIn(
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
