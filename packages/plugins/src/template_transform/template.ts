import type { BodySide } from '../shared/bodies/body-problems.ts';
import { JsonLimitError } from '../shared/json-text/scan.ts';
import { contentTypeOf, formOf, writersOf, type ValueWriter } from './forms.ts';
import { parseTemplate } from './parse-template.ts';
import { isOfBody, isOfOtherSide, variableOf, type TemplateContext, type Variable } from './variables.ts';

/** Most characters that a template makes: a value may stand in it many times. */
export const FILLED_LENGTH_MAX = 16_777_216;

/** What came of filling a template. */
export type Filled =
  | { readonly kind: 'text'; readonly text: string }
  /** It has a variable without a value, and that was not to be. */
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'too_large' | 'too_complex' };

/** A template that was compiled for the messages of one side. */
export interface Template {
  readonly contentType: string;
  readonly readsBody: boolean;
  /** Variables that no message has, as they are written: each is always missing. */
  readonly unknown: readonly string[];
  /** Whether it reads the request's body for a response. */
  readonly readsRequestBody: boolean;
  /** @param isStrict whether a variable without a value ends it */
  write(context: TemplateContext, isStrict: boolean): Filled;
}

interface Slot {
  readonly find: Variable;
  readonly write: ValueWriter;
  readonly written: string;
  /** The same for all places that have the same text in them. */
  readonly index: number;
}

/** @param contentType of what the template makes. Default: by what it is. @returns the template, or the rule that it breaks */
export function compileTemplate(template: string, side: BodySide, contentType?: string): Template | string {
  const parts = parseTemplate(template);
  if (typeof parts === 'string') return parts;
  const type = contentType ?? contentTypeOf(parts);
  const writers = writersOf(parts, formOf(type));
  if (writers === undefined) return 'must be JSON when its variables are values, because its content type is';
  const pieces: (string | Slot)[] = [];
  const slots: Slot[] = [];
  const unknown: string[] = [];
  let readsBody = false;
  let readsRequestBody = false;
  let variables = 0;
  for (const part of parts) {
    if (part.kind === 'literal') {
      pieces.push(part.text);
      continue;
    }
    const { steps, written } = part;
    const writer = writers[variables];
    if (isOfOtherSide(steps, side) || writer === undefined) return `has a variable of responses alone: ${written}`;
    const variable = variableOf(steps, side);
    if (variable === undefined) unknown.push(written);
    const find = variable ?? MISSING;
    variables += 1;
    readsBody ||= isOfBody(steps, side);
    readsRequestBody ||= side === 'response' && isOfBody(steps, 'request') && steps[0] === 'request';
    const known = slots.find((slot) => slot.written === written && slot.write === writer);
    const slot = known ?? { find, write: writer, written, index: slots.length };
    if (known === undefined) slots.push(slot);
    pieces.push(slot);
  }
  const write = (context: TemplateContext, isStrict: boolean): Filled => filled(pieces, context, isStrict);
  return { contentType: type, unknown, readsBody, readsRequestBody, write };
}

function filled(pieces: readonly (string | Slot)[], context: TemplateContext, isStrict: boolean): Filled {
  const texts: string[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      const known = texts[piece.index] ?? textOf(piece, context, isStrict);
      if (typeof known !== 'string') return known;
      texts[piece.index] = known;
      text += known;
    }
    if (text.length > FILLED_LENGTH_MAX) return TOO_LARGE;
  }
  return { kind: 'text', text };
}

function textOf({ find, write, written }: Slot, context: TemplateContext, isStrict: boolean): string | Filled {
  try {
    const value = find(context);
    return value === undefined && isStrict ? { kind: 'missing', variable: written } : write(value);
  } catch (error) {
    if (error instanceof JsonLimitError) return TOO_COMPLEX;
    throw error;
  }
}

const MISSING: Variable = () => undefined;

const TOO_LARGE: Filled = { kind: 'too_large' };
const TOO_COMPLEX: Filled = { kind: 'too_complex' };
