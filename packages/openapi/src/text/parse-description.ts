import { descriptionLimits } from '../limits.ts';
import { positionAt, positionsIn } from './text-position.ts';
import type { PositionFinder, TextPosition } from './text-position.ts';
import { composeYaml, plainValue, TextError } from './yaml-text.ts';

/** Why a text is no document, and where. `message` never quotes the text. */
export interface TextProblem extends TextPosition {
  readonly message: string;
}

/** A document, or its first mistake. */
export type ParsedDescription =
  | { readonly ok: true; readonly document: unknown; readonly positions: PositionFinder }
  | { readonly ok: false; readonly error: TextProblem };

/**
 * Parses the text of a description: JSON, or one YAML 1.2 document with the core schema and merge keys, told apart by the text
 * itself. Nothing that the text holds is fetched or run.
 */
export function parseDescription(text: string): ParsedDescription {
  if (new TextEncoder().encode(text).length > descriptionLimits.bytesMax) {
    return { ok: false, error: { line: 1, column: 1, message: `is larger than ${descriptionLimits.bytesMax} bytes` } };
  }
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, document: valueOf(content), positions: positionsIn(content) };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return { ok: false, error: { ...positionAt(content, error.offset), message: error.message } };
  }
}

/** JSON is read by the engine, which is many times as fast. What it does not take may still be YAML, or has a place there. */
function valueOf(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return plainValue(composeYaml(text));
  try {
    return JSON.parse(text);
  } catch {
    if (text.length > descriptionLimits.placedLengthMax) throw new TextError('is not JSON', 0);
    return plainValue(composeYaml(text));
  }
}
