import { stepsOf } from '../json-pointer.ts';
import { DocumentSyntaxError } from './document-limits.ts';
import { jsonOffsets } from './json-positions.ts';
import { JsonScanner } from './json-scanner.ts';
import { quickJson } from './quick-json.ts';
import { positionAt, positionsIn, unstorableOffset } from './text-position.ts';
import type { TextPosition } from './text-position.ts';
import { composeYaml, offsetOfYaml, plainValue } from './yaml-document.ts';

/** Options of {@link parseDocument}. */
export interface ParseDocumentOptions {
  /** Default: JSON when the text begins with `{` or `[`, else YAML. */
  readonly format?: 'json' | 'yaml';
  /**
   * U+0000 and half surrogate pairs in texts and keys, which no store keeps faithfully. Default: they are refused, with
   * their line. `keep` is for callers who look through the value themselves, say to name every such field at once.
   */
  readonly unstorableText?: 'refuse' | 'keep';
}

/** Why a text is no document, and where. `message` never quotes the text, which may hold secrets. */
export interface ParseError extends TextPosition {
  readonly message: string;
}

/** Finds where the value behind a JSON Pointer begins. Reads a long text again for JSON, so ask for the few that you show. */
export type PositionFinder = (pointer: string) => TextPosition | undefined;

/** A parsed document, or its first mistake. */
export type ParsedDocument =
  | { readonly ok: true; readonly document: unknown; readonly positions: PositionFinder }
  | { readonly ok: false; readonly error: ParseError };

/**
 * Parses a text that nobody vouches for: JSON as RFC 8259 has it, or one YAML 1.2 document with the core schema. A byte
 * order mark is accepted. Refused are duplicate keys, keys that reach a prototype, numbers that are not finite, U+0000 and
 * half surrogate pairs, more than 64 levels, more than 10,000 keys in an object, and in YAML tabs as indentation, tags,
 * keys that are lists or objects, exploding aliases, and whatever is merely doubtful. Bounding the size of the text is
 * the caller's part. Source: wire contract, Configuration operations; security, JSON and YAML.
 */
export function parseDocument(text: string, options: ParseDocumentOptions = {}): ParsedDocument {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const keepsUnstorable = options.unstorableText === 'keep';
  try {
    const broken = keepsUnstorable ? undefined : unstorableOffset(content);
    if (broken !== undefined) throw new DocumentSyntaxError('the text holds U+0000 or half a surrogate pair', broken);
    const format = options.format ?? (/^\s*[{[]/.test(content) ? 'json' : 'yaml');
    return format === 'json' ? parseJson(content, keepsUnstorable) : parseYaml(content, keepsUnstorable);
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    return { ok: false, error: { ...positionAt(content, error.offset), message: error.message } };
  }
}

function parseJson(text: string, keepsUnstorable: boolean): ParsedDocument {
  const quick = quickJson(text, keepsUnstorable);
  const document = quick ? quick.value : new JsonScanner(text, { keepsUnstorable }).document();
  return { ok: true, document, positions: positionsOf(text, jsonOffsets(text, keepsUnstorable)) };
}

function parseYaml(text: string, keepsUnstorable: boolean): ParsedDocument {
  const composed = composeYaml(text, keepsUnstorable);
  const offsetOf = (pointer: string): number | undefined => offsetOfYaml(composed, stepsOf(pointer));
  return { ok: true, document: plainValue(composed), positions: positionsOf(text, offsetOf) };
}

function positionsOf(text: string, offsetOf: (pointer: string) => number | undefined): PositionFinder {
  const positionOf = positionsIn(text);
  return (pointer) => {
    const offset = offsetOf(pointer);
    return offset === undefined ? undefined : positionOf(offset);
  };
}
