import { Buffer } from 'node:buffer';
import { PAIRS_MAX } from './form-values.ts';
import { scalarOf, takes, type ValueShape } from './scalar-types.ts';

/** One part of a multipart body. */
interface Part {
  readonly name: string;
  readonly type: string;
  /** One character a byte. */
  readonly content: string;
}

const utf8 = new TextDecoder('utf-8');

/**
 * A `multipart/form-data` body as an object: parts that are JSON, by their type or their schema, as what they say, texts as their schema takes
 * them, files as texts of one character a byte. Source: RFC 7578; OpenAPI 3.1.1, 4.8.15.
 * @returns `undefined` for a body that cannot be read
 */
export function multipartValue(bytes: Uint8Array, contentType: string, shape: ValueShape): object | undefined {
  const found = /;[\t ]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  const parts = boundary === undefined ? undefined : partsOf(`\r\n${oneCharacterAByte(bytes)}`, boundary);
  if (parts === undefined) return undefined;
  const groups = Map.groupBy(parts, ({ name }) => name);
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const property = shape.properties.get(name) ?? TEXT;
      const isList = takes(property, 'array');
      const values = group.map((part) => valueOf(part, isList ? (property.items ?? TEXT) : property));
      return [name, isList || values.length > 1 ? values : values[0]];
    }),
  );
}

const TEXT: ValueShape = { types: undefined, properties: new Map() };

function partsOf(text: string, boundary: string): readonly Part[] | undefined {
  const pieces = text.split(`\r\n--${boundary}`, PAIRS_MAX + 2);
  const last = pieces.at(-1);
  if (pieces.length < 2 || pieces.length > PAIRS_MAX + 1 || last === undefined || !last.startsWith('--'))
    return undefined;
  const parts = pieces.slice(1, -1).map(partOf);
  const whole = parts.filter((part) => part !== undefined);
  return whole.length === parts.length ? whole : undefined;
}

function partOf(piece: string): Part | undefined {
  const headEnd = piece.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = piece.slice(0, headEnd);
  const [, quoted, token] = NAME.exec(head) ?? [];
  const name = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token;
  if (name === undefined) return undefined;
  const type = /^content-type:[\t ]*([^\s;]+)/im.exec(head)?.[1] ?? '';
  return { name: asUtf8(name), type: type.toLowerCase(), content: piece.slice(headEnd + 4) };
}

/** A token, or a quoted text. Source: RFC 2183, 2; RFC 7578, 4.2. */
const NAME =
  /^content-disposition:[\t ]*form-data(?:[\t ]*;[\t ]*(?!name=)[\w!#$%&'*+.^`|~-]+=(?:"(?:[^"\\\r\n]|\\.)*"|[^\s";]*))*[\t ]*;[\t ]*name=(?:"((?:[^"\\\r\n]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))/im;

function valueOf({ type, content }: Part, shape: ValueShape): unknown {
  const isJson = type === 'application/json' || type.endsWith('+json');
  if (isJson || (type === '' && takes(shape, 'object'))) {
    try {
      return JSON.parse(asUtf8(content)) as unknown;
    } catch {
      return asUtf8(content);
    }
  }
  return type === '' || type.startsWith('text/') ? scalarOf(asUtf8(content), shape) : content;
}

/** What the platform's decoder calls latin1 is another charset, in which bytes are lost. */
function oneCharacterAByte({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function asUtf8(text: string): string {
  return utf8.decode(Buffer.from(text, 'latin1'));
}
