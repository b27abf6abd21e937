import type { JsonObject, Parameter } from '@portcullis/openapi';
import type { HeaderView } from '@portcullis/plugin-runtime';
import type { Direction } from '../schemas/convert-schema.ts';
import type { SchemaCheck } from '../schemas/schema-checks.ts';
import {
  decodeFormPart,
  decodePart,
  readAlone,
  readFromPairs,
  type ParameterStyle,
  type RawPairs,
  type ReadValue,
  type Serialization,
} from '../values/parameter-styles.ts';
import { shapeOf, takes, type ValueShape } from '../values/scalar-types.ts';
import { checkOf, entriesIn, fieldIn, schemaOf, type ContractParts } from './contract.ts';
import { issueOf, type ContractIssue } from './issue.ts';
import { isJsonType } from './media-types.ts';

/** Where the parameters of a request are read from. */
export interface ParameterSources {
  readonly path: ReadonlyMap<string, string>;
  readonly query: RawPairs;
  readonly headers: HeaderView;
  readonly cookies: RawPairs;
}

/** A parameter that was compiled. */
export interface ParameterCheck {
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  /** Whether a name in the query is this parameter's. */
  readonly owns: (queryName: string) => boolean;
  readonly check: (sources: ParameterSources) => ContractIssue | undefined;
}

/** Headers that OpenAPI describes elsewhere. Source: OpenAPI 3.1.1, 4.8.12.2. */
const ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

const STYLES: ReadonlySet<unknown> = new Set<ParameterStyle>([
  ...(['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const),
]);

/** Compiles a parameter of an operation; nothing for one that is not looked at. */
export function parameterCheck(parts: ContractParts, parameter: Parameter): ParameterCheck | undefined {
  const { name, in: place, required, definition, pointer } = parameter;
  if (place === 'querystring' || (place === 'header' && ELSEWHERE.has(name.toLowerCase()))) return undefined;
  const value = valueCheck(parts, { name, place, definition, pointer, direction: 'request' });
  const check = (sources: ParameterSources): ContractIssue | undefined => {
    const read = value.read(sources);
    if (read === 'absent') return required ? { in: place, name, rule: 'required', message: 'is required' } : undefined;
    return value.issueOf(read);
  };
  return { place, name, check, owns: value.owns };
}

/** The check of a described header of a response. */
export function headerCheck(
  parts: ContractParts,
  name: string,
  definition: JsonObject,
  pointer: string,
): ((headers: HeaderView) => ContractIssue | undefined) | undefined {
  if (ELSEWHERE.has(name.toLowerCase())) return undefined;
  const value = valueCheck(parts, { name, place: 'header', definition, pointer, direction: 'response' });
  const isRequired = definition['required'] === true;
  return (headers) => {
    const line = headers.get(name);
    if (line === undefined)
      return isRequired ? { in: 'header', name, rule: 'required', message: 'is required' } : undefined;
    return value.issueOf(value.readHeader(line));
  };
}

interface Described {
  readonly name: string;
  readonly place: ParameterCheck['place'];
  readonly definition: JsonObject;
  readonly pointer: string;
  readonly direction: Direction;
}

function valueCheck(parts: ContractParts, { name, place, definition, pointer, direction }: Described) {
  const [media] = entriesIn(parts, fieldIn(parts, { value: definition, pointer }, 'content'));
  const schema = media === undefined ? schemaOf(definition, pointer) : schemaOf(media[1].value, media[1].pointer);
  const shape = shapeOf(schema, parts.follow);
  const serialization = serializationOf(name, place, definition, media === undefined ? shape : TEXT);
  const check: SchemaCheck | undefined = schema && checkOf(parts, schema, direction);
  const isJson = media !== undefined && isJsonType(media[0].toLowerCase());
  const allowsEmpty = definition['allowEmptyValue'] === true && place === 'query';

  const readHeader = (line: string): ReadValue => readAlone(line, serialization, (part) => part.trim());
  const read = (sources: ParameterSources): ReadValue => {
    if (place === 'query') return readFromPairs(sources.query, serialization, decodeFormPart);
    if (place === 'cookie') return readFromPairs(sources.cookies, serialization, decodePart);
    const raw = place === 'path' ? sources.path.get(name) : sources.headers.get(name);
    if (raw === undefined) return 'absent';
    return place === 'header' ? readHeader(raw) : readAlone(raw, serialization, decodePart);
  };
  const issue = (given: ReadValue): ContractIssue | undefined => {
    if (given === 'absent') return undefined;
    const value = given !== 'unreadable' && isJson ? jsonValue(given.value) : given;
    if (value === 'unreadable' || value === undefined)
      return { in: place, name, rule: 'readable', message: 'is given twice, or is not written as it is described' };
    if (check === undefined || (allowsEmpty && value.value === '')) return undefined;
    const violation = check(value.value);
    return violation && issueOf(place, violation, name);
  };
  return { read, readHeader, issueOf: issue, owns: ownerOf(serialization) };
}

const TEXT: ValueShape = { types: new Set(['string']), properties: new Map() };

function jsonValue(text: unknown): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(String(text)) as unknown };
  } catch {
    return undefined;
  }
}

function serializationOf(
  name: string,
  place: ParameterCheck['place'],
  { style: given, explode }: JsonObject,
  shape: ValueShape,
): Serialization {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const style = STYLES.has(given) ? (given as ParameterStyle) : usual;
  return { name, style, explodes: typeof explode === 'boolean' ? explode : style === 'form', shape };
}

function ownerOf({ name, style, explodes, shape }: Serialization): (queryName: string) => boolean {
  if (style === 'deepObject') return (given) => given.startsWith(`${name}[`);
  if (explodes && !takes(shape, 'array') && takes(shape, 'object'))
    return (given) => shape.properties.size === 0 || shape.properties.has(given);
  return (given) => given === name;
}
