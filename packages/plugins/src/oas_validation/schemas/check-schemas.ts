import { pointerTo, type FollowReferences } from '@portcullis/openapi';
import { FOREIGN_KEYWORDS, isOfKind, isRecord, type Dialect } from './keywords.ts';
import { PATTERNS_COST_MAX, PATTERN_COST_MAX, PATTERN_LENGTH_MAX, safePattern } from './patterns.ts';

/** Most schemas of a description, those within others included. Large public descriptions have some ten thousand. */
export const SCHEMAS_MAX = 200_000;

/** Most properties, choices or parts that one schema has beside each other: the code that is generated for them nests as deeply. */
export const WIDTH_MAX = 500;

/** Most mistakes of schemas that are listed. */
export const SCHEMA_MISTAKES_MAX = 20;

/** Something in a schema that cannot be checked with. */
export interface SchemaMistake {
  /** JSON Pointer into the description. */
  readonly pointer: string;
  readonly message: string;
}

/** What was found out about the schemas of a description. */
export interface SchemaSurvey {
  readonly mistakes: readonly SchemaMistake[];
  /** Whether some say what of a value no other schema looked at: then they are compiled together. */
  readonly hasUnevaluated: boolean;
}

/**
 * Looks at each schema that is used once, however many refer to it: keywords have values of their kind, references lead to schemas, and
 * patterns are RE2's. So none of it goes wrong at the first request, and none of it runs.
 */
export function surveySchemas(
  roots: Iterable<readonly [schema: unknown, pointer: string]>,
  follow: FollowReferences,
  dialect: Dialect,
): SchemaSurvey {
  const mistakes: SchemaMistake[] = [];
  const seen = new Set<unknown>();
  const patterns = new Map<string, string | undefined>();
  let patternsCost = 0;
  let hasUnevaluated = false;
  const waiting = [...roots];
  const mistake = (pointer: string, message: string): void => {
    if (mistakes.length < SCHEMA_MISTAKES_MAX) mistakes.push({ pointer, message });
  };

  const checkPattern = (pattern: string, pointer: string): void => {
    if (!patterns.has(pattern)) {
      const compiled = safePattern(pattern);
      patternsCost += compiled?.cost ?? 0;
      patterns.set(pattern, patternRule(compiled?.cost));
    }
    const rule = patterns.get(pattern);
    if (rule !== undefined) mistake(pointer, rule);
    else if (patternsCost > PATTERNS_COST_MAX)
      mistake(pointer, `is too much: all patterns together must compile to at most ${PATTERNS_COST_MAX} instructions`);
  };

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [schema, pointer] = next;
    if (typeof schema === 'boolean' || seen.has(schema)) continue;
    if (!isRecord(schema)) {
      mistake(pointer, 'must be a schema: an object, or true or false');
      continue;
    }
    seen.add(schema);
    if (seen.size > SCHEMAS_MAX) {
      mistake('', `must have at most ${SCHEMAS_MAX} schemas`);
      break;
    }
    if (Object.hasOwn(schema, '$ref')) {
      const referred = follow(schema, pointer);
      if (referred === undefined) mistake(pointerTo(pointer, '$ref'), 'must lead to a schema of this description');
      else waiting.push([referred.value, referred.pointer]);
      if (dialect.is30) continue;
    }
    for (const foreign of FOREIGN_KEYWORDS) {
      if (!dialect.is30 && Object.hasOwn(schema, foreign))
        mistake(pointerTo(pointer, foreign), 'is no way in which schemas are found: refer to them with $ref and #/');
    }
    hasUnevaluated ||= Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems');
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = dialect.keywords.get(keyword);
      const at = pointerTo(pointer, keyword);
      if (kind === undefined) continue;
      if (!isOfKind(kind, value)) mistake(at, `has not the form that ${keyword} has`);
      else if (kind === 'schema') waiting.push([value, at]);
      else if (kind === 'schemas' || kind === 'first schemas' || kind === 'schema map') {
        const inside = Object.entries(value as object);
        if (inside.length > WIDTH_MAX)
          mistake(at, `must have at most ${WIDTH_MAX} entries: move some to a schema for allOf`);
        for (const [step, inner] of inside) waiting.push([inner, pointerTo(at, step)]);
      }
      if (keyword === 'pattern' && typeof value === 'string') checkPattern(value, at);
      if (keyword === 'patternProperties' && isRecord(value))
        for (const pattern of Object.keys(value)) checkPattern(pattern, pointerTo(at, pattern));
    }
  }
  return { mistakes, hasUnevaluated: hasUnevaluated && !dialect.is30 };
}

function patternRule(cost: number | undefined): string | undefined {
  if (cost === undefined)
    return `must be a regular expression in RE2 syntax, without look-around and back references, of at most ${PATTERN_LENGTH_MAX} characters and 1000 repeats in braces`;
  return cost > PATTERN_COST_MAX
    ? `repeats too much: must compile to at most ${PATTERN_COST_MAX} instructions`
    : undefined;
}
