import { SseParser, type JsonObject, isJsonObject } from '@portcullis/ai-router';
import { isBounded, jsonShape, memberCount } from './json-shape.ts';

/** An event of a stream, or what stands between events. */
export interface StreamPart {
  /** What the event says, as an object whose texts can be changed in place; `undefined` for comments and ends of streams. */
  readonly value: JsonObject | undefined;
  /** The event as a text of the stream, with what {@link value} says now. */
  write(): string;
  readonly shape: DataShape;
}

/** What is known of an event's data beside what it says. */
export interface DataShape {
  /** Levels of its lists and objects. */
  readonly depth: number;
  /** How many of them there are, at least. */
  readonly values: number;
  /** Whether a name stands in it twice: readers differ in what they take it for. */
  readonly isAmbiguous: boolean;
}

const PLAIN: DataShape = Object.freeze({ depth: 0, values: 0, isAmbiguous: false });

/** Data of events that say nothing but that the stream is over. */
const DONE = '[DONE]';

/** Field of the object that stands for data that is no JSON object. */
export const DATA_FIELD = 'data';

/** Longest event, in bytes: the whole body is bounded already. */
const EVENT_BYTES_MAX = Number.MAX_SAFE_INTEGER;

/** The parts of an event stream's text. Source: WHATWG HTML, server-sent events. */
export function streamParts(text: string): readonly StreamPart[] {
  const parser = new SseParser(EVENT_BYTES_MAX);
  const frames = [...parser.push(new TextEncoder().encode(text)), ...parser.end()];
  return frames.map(({ data, event, id, bytes }) => {
    if (data === undefined || data.trim() === DONE) {
      return { value: undefined, shape: PLAIN, write: () => bytes.toString('utf8') };
    }
    const { value, shape, said } = readData(data);
    const write = (): string =>
      `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${dataLines(said(value))}\n`;
    return { value, shape, write };
  });
}

/** The parts of lines of JSON. */
export function lineParts(text: string): readonly StreamPart[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const { value, shape, said } = readData(line);
    return [{ value, shape, write: () => `${said(value)}\n` }];
  });
}

interface ReadData {
  readonly value: JsonObject;
  readonly shape: DataShape;
  /** What a changed value is written as. */
  readonly said: (value: JsonObject) => string;
}

function readData(data: string): ReadData {
  const said = jsonShape(data);
  const { depth, values } = said;
  // What has more is refused by who counts.
  const parsed = isBounded(said) ? parsedJson(data) : undefined;
  if (parsed === undefined) {
    const shape = { depth, values, isAmbiguous: false };
    return { value: { [DATA_FIELD]: data }, shape, said: (value) => String(value[DATA_FIELD]) };
  }
  const shape = { depth, values, isAmbiguous: memberCount(parsed) !== said.members };
  if (isJsonObject(parsed)) return { value: parsed, shape, said: (value) => JSON.stringify(value) };
  return { value: { [DATA_FIELD]: parsed }, shape, said: (value) => JSON.stringify(value[DATA_FIELD]) };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A line break within data would end the event: each line is one of the event's. */
function dataLines(data: string): string {
  return data
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('');
}
