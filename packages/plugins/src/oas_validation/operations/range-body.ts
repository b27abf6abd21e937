import { XML_TYPES, contentTypeMatcher } from '../../shared/bodies/content-types.ts';
import type { BodySide } from '../../shared/bodies/body-problems.ts';
import type { ReadableBody } from '../../shared/bodies/readable-body.ts';
import type { ValueShape } from '../values/scalar-types.ts';
import { isJson } from '../../shared/json-text/is-json.ts';

const isXml = contentTypeMatcher(XML_TYPES);

/** What a body of a type that says nothing of its form is: JSON or a text to check, nothing that can be checked, or not as described. */
export type RangeBody = { readonly kind: 'json' | 'text'; readonly text: string } | 'passes' | 'malformed';

/**
 * Reads a body that a media range is described for (`*` in it), and whose type is not one that is checked. The client chooses the type, and
 * services read what they expect whatever it says: so it is taken for JSON, unless the schema takes a text. XML, and answers, are let pass
 * where not all has to be described.
 */
export function rangeBody(
  body: ReadableBody & { readonly kind: 'text' | 'problem' },
  type: string,
  shape: ValueShape,
  side: BodySide,
  isStrict: boolean,
): RangeBody {
  const { types, items, properties } = shape;
  const takesText = types?.has('string') ?? (items === undefined && properties.size === 0);
  if (body.kind === 'problem') return takesText ? 'passes' : 'malformed';
  if (/^\s*[[{]/.test(body.text) && isJson(body.text)) return { kind: 'json', text: body.text };
  if (takesText) return { kind: 'text', text: body.text };
  if (isJson(body.text)) return { kind: 'json', text: body.text };
  return !isStrict && (side === 'response' || isXml(type)) ? 'passes' : 'malformed';
}
