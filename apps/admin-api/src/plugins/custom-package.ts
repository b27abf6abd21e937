import { createHash } from 'node:crypto';
import type { ConfigIssue, Plugin } from '@portcullis/plugin-runtime';
import { TRIGGER_STAGES } from '@portcullis/plugin-runtime';
import type { Trigger } from '@portcullis/plugin-runtime';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import type { FieldProblem } from '../http/problem.ts';
import { toPointer } from '../resources/json-pointer.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import { schemaParts, valueCount } from './schema-parts.ts';
import { compilePattern, schemaCost, structureProblems } from './schema-structure.ts';

/** A package that a tenant registered: its code is the gateway's operator's, its schema the tenant's. Source: decisions, 9. */
export interface CustomPackage {
  readonly name: string;
  readonly version: string;
  readonly configSchema: Values;
}

/** Custom packages of one tenant by name. */
export type CustomPackages = ReadonlyMap<string, CustomPackage>;

/** Every trigger there is: which of them a custom package's code takes part in, only the gateways that have it know. */
export const customTriggers = Object.keys(TRIGGER_STAGES) as [Trigger, ...Trigger[]];

/** Bounds of a config of a custom package; see `schemaLimits`. */
const configCharactersMax = 65_536;
const configValuesMax = 2_000;
/**
 * Schemas times values of one config, so also the mistakes that a check may find in it. Finding secrets, which is done in
 * place, takes about a millisecond for a thousand.
 */
const checksMax = 30_000;
/** Instructions of patterns times characters: some ten milliseconds, and at least 4,000 characters. */
const patternWorkMax = 4_000_000;
/** Mistakes of one config that are told. */
const issuesMax = 50;
/** Compiled schemas that are kept; each takes some hundred kilobytes. */
const compiledMax = 64;

const metaSchema = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
const compiled = new LRUCache<string, Compiled>({ max: compiledMax });

/**
 * What keeps a tenant's schema from being used: too large, remote, recursive, no JSON Schema, or with keywords nobody knows.
 * Pointers are into the schema.
 */
export function schemaProblems(schema: Values): readonly FieldProblem[] {
  const structure = structureProblems(schema);
  if (structure.length > 0) return structure;
  if (metaSchema.validateSchema(schema) !== true) {
    return (metaSchema.errors ?? []).slice(0, issuesMax).map((error) => ({
      pointer: error.instancePath,
      code: 'invalid_schema',
      message: error.message ?? 'is not valid',
    }));
  }
  try {
    compiledOf(schema);
    return [];
  } catch (error) {
    const rule = error instanceof Error ? error.message.replace(/^strict mode: /, '').slice(0, 200) : 'is not valid';
    return [{ pointer: '', code: 'invalid_schema', message: rule }];
  }
}

/** What is wrong with a config of a package. */
export type ConfigCheck = (custom: CustomPackage, config: unknown) => readonly ConfigIssue[];

/**
 * A custom package as the checks of instances know plugins. It is never set up here: gateways run plugins.
 * @param check of configs. Default: at once, in this thread, which must not be the main one
 */
export function customPlugin(custom: CustomPackage, check: ConfigCheck = configIssuesOf): Plugin {
  const { name, version } = custom;
  return {
    name,
    version,
    category: 'traffic',
    triggers: customTriggers,
    compile(raw) {
      const issues = check(custom, raw ?? {});
      return issues.length > 0 ? { ok: false, issues } : { ok: true, setup: neverSetUp };
    },
  };
}

function neverSetUp(): never {
  throw new TypeError('a control plane runs no plugins');
}

const configIssuesOf: ConfigCheck = ({ configSchema }, config) => configIssues(configSchema, config);

/**
 * What is wrong with a config, by a schema that passed {@link schemaProblems}: a check by a tenant's own rules, so only for
 * threads that somebody ends when they take too long.
 */
export function configIssues(schema: Values, config: unknown): readonly ConfigIssue[] {
  const [tooMuch] = configSizeIssues(schema, config);
  if (tooMuch) return [tooMuch];
  const { validate, patternSteps } = compiledOf(schema);
  const charactersMax = patternSteps === 0 ? Infinity : Math.floor(patternWorkMax / patternSteps);
  if (JSON.stringify(config).length > charactersMax) {
    const message = `must be at most ${charactersMax} characters of JSON with the patterns of this config_schema`;
    return [{ pointer: '', code: 'schema_too_costly', message }];
  }
  return validate(config) ? [] : (validate.errors ?? []).slice(0, issuesMax).map(issueOf);
}

/** Whether a config is small enough to be looked at by a schema. Runs none of the schema's rules. */
export function configSizeIssues(schema: Values, config: unknown): readonly ConfigIssue[] {
  if (JSON.stringify(config).length > configCharactersMax) {
    return [{ pointer: '', code: 'max_length', message: `must be at most ${configCharactersMax} characters of JSON` }];
  }
  if (valueCount(config) > configValuesMax) {
    return [{ pointer: '', code: 'max_values', message: `must hold at most ${configValuesMax} values` }];
  }
  return configWork(schema, config) <= 1 ? [] : [tooCostly('')];
}

/** How much of the bound a check of a config uses up: 1 is all of it. */
export function configWork(schema: Values, config: unknown): number {
  return (schemasIn(schema) * valueCount(config)) / checksMax;
}

/** The mistake of a config that is too large for what its schema asks. */
export function tooCostly(pointer: string): ConfigIssue {
  return {
    pointer,
    code: 'schema_too_costly',
    message: 'holds too many values for the many rules of its config_schema',
  };
}

const counted = new WeakMap<Values, number>();

function schemasIn(schema: Values): number {
  let count = counted.get(schema);
  if (count === undefined) counted.set(schema, (count = schemaCost(schema, () => 0).schemas));
  return count;
}

interface Compiled {
  readonly validate: ValidateFunction;
  readonly patternSteps: number;
}

/** @throws Error for a schema with keywords or combinations that have no meaning */
function compiledOf(schema: Values): Compiled {
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
  let found = compiled.get(key);
  if (!found) {
    found = { validate: compile(schema), patternSteps: schemaCost(schema).patternSteps };
    compiled.set(key, found);
  }
  return found;
}

function compile(schema: Values): ValidateFunction {
  // An instance of its own for each schema, so that what it compiled goes when the cache lets it go.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ownProperties: true,
    // `format` is an annotation, as the 2020-12 dialect has it.
    validateFormats: false,
    meta: false,
    validateSchema: false,
    logger: false,
    code: { regExp: linearTime },
  });
  ajv.addVocabulary([...annotationsIn(schema)]);
  return ajv.compile(schema);
}

/** The engine of patterns, as ajv wants it; it also asks how generated code would name it. */
const linearTime = Object.assign((pattern: string) => compilePattern(pattern), { code: 'linearTime' });

/** Keywords that begin with `x-` say something to others, `x-secret` to us; none of them checks anything. */
function annotationsIn(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (!isValues(schema)) return found;
  for (const keyword of Object.keys(schema)) if (keyword.startsWith('x-')) found.add(keyword);
  for (const part of schemaParts(schema)) annotationsIn(part.schema, found);
  return found;
}

/** Messages name rules of the schema, never a value of the config. */
function issueOf({ instancePath, keyword, params, message }: ErrorObject): ConfigIssue {
  const named: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  const pointer = typeof named === 'string' ? `${instancePath}${toPointer([named])}` : instancePath;
  if (keyword === 'required') return { pointer, code: 'required', message: 'is required' };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    return { pointer, code: 'unknown_field', message: 'is not known' };
  }
  const code = keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { pointer, code, message: message ?? 'is not valid' };
}
