import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { parseBundle } from '@portcullis/bundle-diff';
import type { PositionFinder } from '@portcullis/bundle-diff';
import { CommandFailure } from './failure.ts';
import { readStream } from './read-stream.ts';
import { readStandardInput } from './standard-input.ts';

/** A document that the user named. */
export interface InputFile {
  readonly file: string;
  readonly text: string;
  readonly document: unknown;
  readonly contentType: 'application/json' | 'application/yaml';
  readonly positions: PositionFinder;
}

/** Largest file that is read: what the API takes. Source: decisions, 15. */
const fileBytesMax = 64 * 1024 * 1024;

/** Bytes that are read at once. */
const chunkBytes = 1024 * 1024;

/** Finding a place in JSON reads the text once more. Beyond this many characters pointers alone have to do. */
const placedJsonMax = 1024 * 1024;

/**
 * Reads a JSON or YAML document, told apart by the file's suffix, else by what it can be read as.
 * @param given a path, or `-` for standard input
 * @throws CommandFailure for a file that is missing, too large or malformed; with the place of the mistake
 */
export async function readInputFile(given: string): Promise<InputFile> {
  const { file, text } = await readInputText(given);
  const mistakes: string[] = [];
  for (const format of formatsOf(file, text)) {
    const parsed = parseBundle(text, { format });
    if (parsed.ok) {
      const isPlaced = format === 'yaml' || text.length <= placedJsonMax;
      const positions = isPlaced ? parsed.positions : () => undefined;
      return { file, text, document: parsed.document, contentType: `application/${format}`, positions };
    }
    const { line, column, message } = parsed.error;
    mistakes.push(`${file}:${line}:${column}: ${message}`);
  }
  throw new CommandFailure(mistakes[0] ?? `${file} cannot be read`);
}

/** What a text may be, the likeliest first. A flow mapping of YAML begins like JSON. */
function formatsOf(file: string, text: string): readonly ('json' | 'yaml')[] {
  const suffix = path.extname(file).toLowerCase();
  if (suffix === '.json') return ['json'];
  const looksLikeJson = /^\uFEFF?\s*[{[]/.test(text);
  return /^\.ya?ml$/.test(suffix) || !looksLikeJson ? ['yaml'] : ['json', 'yaml'];
}

/**
 * Reads a text file that a library of its own parses.
 * @param given a path, or `-` for standard input
 * @throws CommandFailure for a file that is missing, too large or not UTF-8
 */
export async function readInputText(given: string): Promise<Pick<InputFile, 'file' | 'text'>> {
  const file = given === '-' ? 'standard input' : given;
  const bytes = await (given === '-' ? readStandardInput(fileBytesMax) : readBytes(given));
  return { file, text: textOf(file, bytes) };
}

/** The document as a record. @throws CommandFailure when it is none */
export function recordOf({ file, document }: InputFile): Record<string, unknown> {
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return { ...document };
  throw new CommandFailure(`${file} does not hold a record: expected fields and values`);
}

function textOf(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${file} is not UTF-8 text`);
  }
}

/** A pipe or a device does not say how large it is, so what was read is counted. */
function readBytes(file: string): Promise<Buffer> {
  return readStream(() => streamOf(file), file, fileBytesMax);
}

/** Waiting for a pipe in one of Node's threads would keep Ctrl-C from ending the process; a socket waits without one. */
function streamOf(file: string): AsyncIterable<Buffer> {
  const isPipe = statSync(file).isFIFO();
  if (!isPipe) return createReadStream(file, { highWaterMark: chunkBytes });
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
