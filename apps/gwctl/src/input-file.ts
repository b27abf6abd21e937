import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseBundle } from '@portcullis/bundle-diff';
import type { PositionFinder } from '@portcullis/bundle-diff';
import { CommandFailure } from './failure.ts';
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

/** Finding a place in JSON reads the text once more. Beyond this many characters pointers alone have to do. */
const placedJsonMax = 1024 * 1024;

/**
 * Reads a JSON or YAML document, told apart by the file's suffix, else by its first character.
 * @param given a path, or `-` for standard input
 * @throws CommandFailure for a file that is missing, too large or malformed; with the place of the mistake
 */
export async function readInputFile(given: string): Promise<InputFile> {
  const file = given === '-' ? 'standard input' : given;
  const text = textOf(file, given === '-' ? await readStandardInput(fileBytesMax) : readBytes(given));
  const suffix = path.extname(file).toLowerCase();
  const looksLikeJson = /^\uFEFF?\s*[{[]/.test(text);
  const format = suffix === '.json' ? 'json' : /^\.ya?ml$/.test(suffix) || !looksLikeJson ? 'yaml' : 'json';
  const parsed = parseBundle(text, { format });
  if (!parsed.ok) {
    const { line, column, message } = parsed.error;
    throw new CommandFailure(`${file}:${line}:${column}: ${message}`);
  }
  const isPlaced = format === 'yaml' || text.length <= placedJsonMax;
  return {
    file,
    text,
    document: parsed.document,
    contentType: `application/${format}`,
    positions: isPlaced ? parsed.positions : () => undefined,
  };
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

function readBytes(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size > fileBytesMax) throw new CommandFailure(`${file} is larger than ${fileBytesMax} bytes`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new CommandFailure(`${file} does not exist`);
    throw new CommandFailure(`${file} cannot be read (${String(code ?? error)})`);
  }
}
