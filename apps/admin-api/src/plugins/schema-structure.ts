import { RE2JS } from 're2js';
import type { FieldProblem } from '../http/problem.ts';
import { pointerSegments, toPointer } from '../resources/json-pointer.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import { plainValueCount, schemaParts } from './schema-parts.ts';

/**
 * Bounds of a tenant's schema. Together with those of a config they bound what one check can cost. It runs in a thread beside
 * the others, with a time limit, so that nobody waits for one that costs more than it should.
 */
export const schemaLimits = {
  /** Characters of the schema as JSON. */
  charactersMax: 65_536,
  /** Schemas inside schemas. */
  depthMax: 32,
  /** Schemas that a config is checked by when each `$ref` is replaced by what it names; long lists count as several. */
  expandedMax: 1_000,
  patternLengthMax: 512,
  /** Instructions of all patterns together, as often as they are applied. */
  patternStepsMax: 1_000,
} as const;

/** What comparing every item with every other counts for. */
const uniqueItemsCost = 100;
const valuesPerCost = 8;

/** Keywords that name schemas by something else than their place, or ask for other vocabularies. */
const refusedKeywords = ['$anchor', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveRef', '$vocabulary'];
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Compiles a pattern with an engine whose time is linear in the text. @throws for look-around, back references, bad syntax */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** Whether a schema is small enough to be looked at. */
export function schemaSizeProblems(schema: Values): readonly FieldProblem[] {
  return JSON.stringify(schema).length > schemaLimits.charactersMax
    ? [problem([], 'max_length', `must be at most ${schemaLimits.charactersMax} characters of JSON`)]
    : [];
}

/** What keeps a schema from being used, whatever it means. Pure; pointers are into the schema. */
export function structureProblems(schema: Values): readonly FieldProblem[] {
  const tooMuch = schemaSizeProblems(schema);
  if (tooMuch.length > 0) return tooMuch;
  const found: FieldProblem[] = [];
  const seen: InspectedSchemas = new Map();
  if (schema['type'] !== 'object') found.push(problem(['type'], 'object_schema', 'must be object'));
  if (schema['$schema'] !== undefined && schema['$schema'] !== dialect) {
    found.push(problem(['$schema'], 'unknown_value', `must be ${dialect} or absent`));
  }
  inspect(schema, [], seen, found);
  for (const [inner, path] of seen) {
    const { $ref: reference } = inner;
    if (reference === undefined || isSchemaIn(seen, targetOf(schema, reference))) continue;
    const message = 'must be a JSON Pointer to a schema in here (#/…)';
    found.push(problem([...path, '$ref'], 'reference_not_found', message));
  }
  return found.length > 0 ? found : costProblems(schema);
}

function problem(path: readonly (string | number)[], code: string, message: string): FieldProblem {
  return { pointer: toPointer(path), code, message };
}

type Path = readonly (string | number)[];

/** Schemas and where they stand. */
type InspectedSchemas = Map<Values, Path>;

/** Data may look like a schema, but nothing in it was inspected. */
function isSchemaIn(seen: InspectedSchemas, target: unknown): boolean {
  return typeof target === 'boolean' || (isValues(target) && seen.has(target));
}

/** Every schema where it is written, definitions too. */
function inspect(schema: unknown, path: Path, seen: InspectedSchemas, found: FieldProblem[]): void {
  if (!isValues(schema)) return;
  seen.set(schema, path);
  if (path.length > schemaLimits.depthMax * 2) {
    found.push(problem(path, 'too_deep', `must be at most ${schemaLimits.depthMax} schemas deep`));
    return;
  }
  for (const keyword of refusedKeywords) {
    if (Object.hasOwn(schema, keyword)) found.push(problem([...path, keyword], 'unknown_field', 'is not supported'));
  }
  for (const [at, pattern] of patternsOf(schema)) {
    const message = patternMistake(pattern);
    if (message !== undefined) found.push(problem([...path, ...at], 'pattern', message));
  }
  for (const part of schemaParts(schema)) inspect(part.schema, [...path, ...part.path], seen, found);
}

function patternsOf(schema: Values): (readonly [Path, string])[] {
  const named = isValues(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  const own = typeof schema['pattern'] === 'string' ? [[['pattern'], schema['pattern']] as const] : [];
  return [...own, ...named.map((pattern) => [['patternProperties', pattern], pattern] as const)];
}

function patternMistake(pattern: string): string | undefined {
  const { patternLengthMax } = schemaLimits;
  if (pattern.length > patternLengthMax) return `must be a pattern of at most ${patternLengthMax} characters`;
  try {
    compilePattern(pattern);
    return undefined;
  } catch {
    return 'must be a pattern in RE2 syntax, without look-around and back references';
  }
}

/** The schema that a reference within a schema names. */
function targetOf(root: Values, reference: unknown): unknown {
  if (reference === '#') return root;
  if (typeof reference !== 'string' || !reference.startsWith('#/') || reference.includes('%')) return undefined;
  return pointerSegments(reference).reduce<unknown>(
    (at, segment) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, segment) ? (at as Values)[segment] : undefined,
    root,
  );
}

/** What a check by a schema costs at most for each value of a config. */
export interface SchemaCost {
  /** Schemas that a value is checked by, each `$ref` replaced by what it names. */
  readonly schemas: number;
  /** Instructions of all patterns together. */
  readonly patternSteps: number;
  readonly isRecursive: boolean;
}

/**
 * What a check by a schema costs. Pure.
 * @param stepsOf instructions of a pattern. Default: it is compiled, which is nothing for the main thread
 */
export function schemaCost(root: Values, stepsOf: (pattern: string) => number = compiledSteps): SchemaCost {
  const known = new Map<unknown, Cost | 'open'>();
  let isRecursive = false;
  const costOf = (schema: unknown): Cost => {
    if (!isValues(schema)) return { schemas: 1, patternSteps: 0 };
    const memo = known.get(schema);
    if (memo === 'open') isRecursive = true;
    if (memo !== undefined) return memo === 'open' ? { schemas: 0, patternSteps: 0 } : memo;
    known.set(schema, 'open');
    const inner = schemaParts(schema).filter((part) => !part.isDefinition);
    const costs = [
      ...inner.map((part) => costOf(part.schema)),
      ...(Object.hasOwn(schema, '$ref') ? [costOf(targetOf(root, schema['$ref']))] : []),
    ];
    const own = 1 + plainValueCount(schema) / valuesPerCost + (schema['uniqueItems'] === true ? uniqueItemsCost : 0);
    const steps = patternsOf(schema).reduce((sum, [, pattern]) => sum + stepsOf(pattern), 0);
    const cost = {
      schemas: costs.reduce((sum, one) => sum + one.schemas, own),
      patternSteps: costs.reduce((sum, one) => sum + one.patternSteps, steps),
    };
    known.set(schema, cost);
    return cost;
  };
  return { ...costOf(root), isRecursive };
}

type Cost = Omit<SchemaCost, 'isRecursive'>;

function compiledSteps(pattern: string): number {
  return compilePattern(pattern).programSize();
}

/** Whether a check costs little enough for each value, and ends. */
function costProblems(root: Values): readonly FieldProblem[] {
  const { schemas, patternSteps, isRecursive } = schemaCost(root);
  if (isRecursive) return [problem([], 'recursive', 'must not refer to itself')];
  return [
    ...(schemas > schemaLimits.expandedMax ? [problem([], 'too_complex', 'checks too much with each config')] : []),
    ...(patternSteps > schemaLimits.patternStepsMax
      ? [problem([], 'too_complex', 'has too many or too long patterns')]
      : []),
  ];
}
