import { fieldOf, isObject, pointerTo, textField } from '@portcullis/openapi';
import type { JsonObject, Operation, Referred } from '@portcullis/openapi';
import type { SecurityScheme } from '../model/security.ts';
import { UniqueWords } from '../names/unique-words.ts';
import { wordsOf, type Words } from '../names/words.ts';
import { isUsableName } from './schemas/object-members.ts';
import type { SchemaSource } from './schemas/schema-source.ts';

/** What clients of a description without schemes have: what gateways ask for most. */
const usualSchemes: readonly SecurityScheme[] = [
  { kind: 'bearer', key: 'bearer', words: ['bearer'] },
  { kind: 'apiKey', key: 'apiKey', words: ['api', 'key'], place: 'header', name: 'X-API-Key' },
];

/** The schemes of a description, and how operations use them. */
export interface Security {
  readonly schemes: readonly SecurityScheme[];
  readonly alternativesOf: (operation: Operation) => readonly (readonly string[])[];
}

/** Reads `components.securitySchemes`. A description that never says where they are asked for means all of them, everywhere. */
export function securityOf(source: SchemaSource, document: JsonObject, operations: readonly Operation[]): Security {
  const components = fieldOf(document, 'components');
  const given = isObject(components) ? fieldOf(components, 'securitySchemes') : undefined;
  const pointer = '/components/securitySchemes';
  const unique = new UniqueWords();
  const schemes = (isObject(given) ? source.entries({ value: given, pointer }) : [])
    .toSorted(([a], [b]) => Number(a > b) - Number(a < b))
    .flatMap(([key, scheme]) => schemeOf(source, key, scheme, pointerTo(pointer, key), unique));
  if (schemes.length === 0) {
    return { schemes: usualSchemes, alternativesOf: () => usualSchemes.map(({ key }) => [key]) };
  }
  const byKey = new Map(schemes.map((scheme) => [scheme.key, scheme]));
  const holders = [document, ...operations.map(({ definition }) => definition)];
  if (holders.every((holder) => fieldOf(holder, 'security') === undefined)) {
    source.findings.warn(
      pointer,
      'are used by no operation, and nothing is said of security: each is taken for a way to be let in',
    );
    return { schemes, alternativesOf: () => schemes.map(({ key }) => [key]) };
  }
  return { schemes, alternativesOf: (operation) => alternativesOf(source, operation, byKey) };
}

function schemeOf(
  source: SchemaSource,
  key: string,
  { value, pointer: place }: Referred,
  pointer: string,
  unique: UniqueWords,
): readonly SecurityScheme[] {
  const words = (): Words => unique.take(wordsOf(key));
  const type = textField(value, 'type');
  if (!isUsableName(source, key, pointer)) return [];
  if (type === 'oauth2' || type === 'openIdConnect') return [{ kind: 'bearer', key, words: words() }];
  if (type === 'http') {
    const scheme = textField(value, 'scheme')?.toLowerCase();
    if (scheme === 'bearer' || scheme === 'basic') return [{ kind: scheme, key, words: words() }];
  }
  if (type === 'apiKey') {
    const name = textField(value, 'name') ?? '';
    const where = (['header', 'query', 'cookie'] as const).find((one) => one === fieldOf(value, 'in'));
    const isName = where === 'query' ? name !== '' : /^[\w!#$%&'*+.^`|~-]+$/.test(name);
    if (where !== undefined && isName && isUsableName(source, name, place)) {
      return [{ kind: 'apiKey', key, words: words(), place: where, name }];
    }
  }
  source.findings.warn(
    pointer,
    'is no scheme that a client can use by itself (HTTP bearer or basic, OAuth 2, OpenID Connect, API key), and is left out',
  );
  return [];
}

/** Without those that clients do not know: who needs them passes them by other means. */
function alternativesOf(
  source: SchemaSource,
  operation: Operation,
  schemes: ReadonlyMap<string, SecurityScheme>,
): readonly (readonly string[])[] {
  const alternatives = operation.security.map((alternative) => alternative.map(({ name }) => name));
  const unknown = alternatives.flat().find((key) => !schemes.has(key));
  if (unknown !== undefined) {
    source.findings.warn(operation.pointer, `asks for the scheme ${unknown.slice(0, 60)}, which clients do not have`);
  }
  const known = alternatives.map((alternative) => alternative.filter((key) => schemes.has(key)).toSorted());
  for (const alternative of known) {
    const clash = clashOf(alternative.flatMap((key) => schemes.get(key) ?? []));
    if (clash === undefined) continue;
    const isOwn = fieldOf(operation.definition, 'security') !== undefined;
    source.findings.warn(
      `${isOwn ? operation.pointer : ''}/security`,
      `asks for ${clash.map(({ key }) => key.slice(0, 60)).join(' and ')} together, which are sent in the same place: only one of them is`,
    );
  }
  return [...new Map(known.filter((one) => one.length > 0).map((one) => [JSON.stringify(one), one])).values()];
}

/** Two schemes of which one overwrites the other. All bearer schemes have one token. */
function clashOf(schemes: readonly SecurityScheme[]): readonly SecurityScheme[] | undefined {
  const seen = new Map<string, SecurityScheme>();
  for (const scheme of schemes) {
    const place = placeOf(scheme);
    const other = seen.get(place);
    if (other !== undefined && !(other.kind === 'bearer' && scheme.kind === 'bearer')) return [other, scheme];
    seen.set(place, scheme);
  }
  return undefined;
}

function placeOf(scheme: SecurityScheme): string {
  if (scheme.kind !== 'apiKey') return 'header authorization';
  return `${scheme.place} ${scheme.place === 'header' ? scheme.name.toLowerCase() : scheme.name}`;
}
