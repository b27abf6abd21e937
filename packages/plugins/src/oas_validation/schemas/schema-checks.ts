import type { FollowReferences, Referred } from '@portcullis/openapi';
import { Ajv2020, str, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import {
  STEP_KEYWORD,
  SchemaConversion,
  UNIQUE_KEYWORD,
  VALUES_KEYWORD,
  type ConversionLinks,
  type Direction,
} from './convert-schema.ts';
import { numberFormats, textFormats, type TextFormat } from './formats.ts';
import type { Dialect } from './keywords.ts';
import { safePattern, type SafePattern } from './patterns.ts';
import { isAtLeast, isAtMost, type LengthRule } from './text-lengths.ts';
import { isUnique } from './unique-items.ts';

/** Schemas within a schema that are compiled with it. The rest is compiled when a value first comes to it, some milliseconds each. */
export const UNIT_SCHEMAS_MAX = 100;

/**
 * Most steps of checking one message: about one for each object, list and choice that is checked, and more for wide schemas, patterns and long
 * texts. Schemas that lead back to themselves in several ways take twice as many for each level of a message that somebody made for it.
 */
export const STEPS_MAX = 100_000;

/** Characters of a text that are looked at in one step. */
const CHARACTERS_PER_STEP = 256;

/** The first rule that a value breaks. */
export interface Violation {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  /** The schema's keyword, or `complexity`. */
  readonly rule: string;
  readonly message: string;
}

/** Checks a value; `undefined` when it is as the schema has it. */
export type SchemaCheck = (value: unknown) => Violation | undefined;

const LINK_KEYWORD = 'portcullisLink';

/** A schema that messages may come to. */
interface KnownSchema {
  readonly referred: Referred;
  readonly direction: Direction;
  /** Names that it does not require where it is composed with what marks them. */
  readonly notRequired: ReadonlySet<string>;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Most schemas that are compiled once more because something beside them marks what they require. More are as they are by themselves. */
const VARIANTS_MAX = 1000;

class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** The checks of one description, each compiled when it is first used, and once. */
export class SchemaChecks {
  readonly #follow: FollowReferences;
  readonly #dialect: Dialect;
  readonly #isWhole: boolean;
  readonly #ajv: Ajv2020;
  readonly #units = new Map<string, ValidateFunction>();
  /** Units that are waiting to be compiled, by their key. */
  readonly #known = new Map<string, KnownSchema>();
  #variants = 0;
  #steps = 0;

  /** @param isWhole whether schemas are compiled together with all that they refer to, which `unevaluatedProperties` needs */
  constructor(follow: FollowReferences, dialect: Dialect, isWhole: boolean) {
    this.#follow = follow;
    this.#dialect = dialect;
    this.#isWhole = isWhole;
    this.#ajv = new Ajv2020({
      strict: false,
      // What is too large for a number is read as infinite, and is none.
      strictNumbers: true,
      validateSchema: false,
      addUsedSchema: false,
      inlineRefs: false,
      ownProperties: true,
      logger: false,
      multipleOfPrecision: MULTIPLE_PRECISION,
      formats: {
        ...Object.fromEntries([...textFormats].map(([name, format]) => [name, this.#counted(format)])),
        ...Object.fromEntries(
          [...numberFormats].map(([name, validate]) => [name, { type: 'number' as const, validate }]),
        ),
        binary: true,
        password: true,
      },
      // Optimising takes longer than all the rest of compiling, and V8 does the same by itself.
      code: {
        optimize: false,
        regExp: Object.assign((pattern: string) => this.#pattern(pattern), { code: 'pattern' }),
      },
    });
    for (const [keyword, rule, word] of LENGTH_RULES) this.#addLengthRule(keyword, rule, word);
    this.#ajv.addKeyword({
      keyword: STEP_KEYWORD,
      // Before all that could lead back here.
      before: '$ref',
      valid: true,
      compile: (steps: number) => () => this.#count(steps),
    });
    this.#ajv.addKeyword({
      keyword: UNIQUE_KEYWORD,
      type: 'array',
      schema: false,
      errors: false,
      validate: (items: readonly unknown[]) =>
        isUnique(items, (length) => this.#count(2 + length / CHARACTERS_PER_STEP)),
    });
    this.#ajv.addKeyword({
      keyword: VALUES_KEYWORD,
      errors: false,
      compile: (values: readonly unknown[]) => {
        const known = new Set(values);
        return (value: unknown) => known.has(value);
      },
    });
    this.#ajv.addKeyword({ keyword: LINK_KEYWORD, errors: 'full', compile: (key: string) => this.#linked(key) });
  }

  /** The check of the schema that stands at a place. */
  checkOf(referred: Referred, direction: Direction): SchemaCheck {
    let unit: ValidateFunction | 'too large' | undefined;
    return (value) => {
      this.#steps = 0;
      unit ??= this.#unitOrNone(this.#keyOf(referred, direction));
      if (unit === 'too large') return TOO_LARGE;
      try {
        return unit(value) ? undefined : violationOf(unit.errors);
      } catch (error) {
        // A value that is nested beyond the stack exhausts the engine in its own way.
        if (error instanceof TooManySteps || error instanceof RangeError) return TOO_COMPLEX;
        throw error;
      }
    };
  }

  #keyOf(referred: Referred, direction: Direction, notRequired: ReadonlySet<string> = NO_NAMES): string {
    const key = `${direction} ${referred.pointer}`;
    if (notRequired.size > 0) {
      const variant = `${key} ${JSON.stringify([...notRequired])}`;
      if (this.#known.has(variant)) return variant;
      if (this.#variants < VARIANTS_MAX) {
        this.#variants += 1;
        this.#known.set(variant, { referred, direction, notRequired });
        return variant;
      }
    }
    if (!this.#known.has(key)) this.#known.set(key, { referred, direction, notRequired: NO_NAMES });
    return key;
  }

  /** The compiler goes down as deeply as schemas that are compiled together lead. It is not asked again: it takes its time to give up. */
  #unitOrNone(key: string): ValidateFunction | 'too large' {
    try {
      return this.#unit(key);
    } catch (error) {
      if (error instanceof RangeError) return 'too large';
      throw error;
    }
  }

  #unit(key: string): ValidateFunction {
    const compiled = this.#units.get(key);
    if (compiled !== undefined) return compiled;
    const schema = this.#isWhole ? this.#wholeSchema(key) : this.#unitSchema(key);
    const unit = this.#ajv.compile(schema);
    this.#units.set(key, unit);
    return unit;
  }

  #linked(key: string): DataValidateFunction {
    let unit: ValidateFunction | undefined;
    const linked: DataValidateFunction = (value: unknown, context?: DataValidationCxt): boolean => {
      unit ??= this.#unit(key);
      const isValid = unit(value, context);
      // The last says why; of choices within choices there would be twice as many on each level.
      if (!isValid) linked.errors = [telling(unit.errors)].filter((error) => error !== undefined);
      return isValid;
    };
    return linked;
  }

  #count(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps > STEPS_MAX) throw new TooManySteps();
    return true;
  }

  /** In the place of Ajv's own, which goes through the whole text each time and tells nobody. */
  #addLengthRule(keyword: string, rule: LengthRule, word: string): void {
    const count = (characters: number): boolean => this.#count(characters / CHARACTERS_PER_STEP);
    this.#ajv.removeKeyword(keyword);
    this.#ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      errors: false,
      error: { message: ({ schemaCode }) => str`must NOT have ${word} than ${schemaCode} characters` },
      compile: (bound: number) => (text: string) => rule(text, bound, count),
    });
  }

  #counted({ test, charactersPerStep }: TextFormat): (text: string) => boolean {
    return (text) => this.#count(text.length / charactersPerStep) && test(text);
  }

  #pattern(pattern: string): SafePattern {
    const compiled = safePattern(pattern);
    if (compiled === undefined) throw new TypeError('a pattern that was not surveyed');
    const test = (text: string): boolean => {
      this.#count(1 + text.length / CHARACTERS_PER_STEP);
      return compiled.test(text);
    };
    return { test, toString: () => compiled.toString() };
  }

  #unitSchema(key: string): object {
    const { referred, direction, notRequired } = this.#entry(key);
    let schemas = 0;
    const links: ConversionLinks = {
      linkTo: (to, names) => ({ [LINK_KEYWORD]: this.#keyOf(to, direction, names) }),
      isLinked: () => (schemas += 1) > UNIT_SCHEMAS_MAX,
    };
    return new SchemaConversion(this.#follow, this.#dialect, direction, links).convert(referred, notRequired);
  }

  /** With all that it leads to. */
  #wholeSchema(key: string): object {
    const { direction } = this.#entry(key);
    const names = new Map<string, string>();
    const waiting: string[] = [];
    const nameOf = (one: string): string => {
      const known = names.get(one) ?? `s${names.size}`;
      if (!names.has(one)) waiting.push(one);
      names.set(one, known);
      return known;
    };
    const links: ConversionLinks = {
      linkTo: (to, free) => ({ $ref: `#/$defs/${nameOf(this.#keyOf(to, direction, free))}` }),
      isLinked: () => false,
    };
    const conversion = new SchemaConversion(this.#follow, this.#dialect, direction, links);
    const root = nameOf(key);
    const definitions: Record<string, object> = {};
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { referred, notRequired } = this.#entry(next);
      definitions[nameOf(next)] = conversion.convert(referred, notRequired);
    }
    return { $ref: `#/$defs/${root}`, $defs: definitions };
  }

  #entry(key: string): KnownSchema {
    const entry = this.#known.get(key);
    if (entry === undefined) throw new TypeError('a schema that nobody referred to');
    return entry;
  }
}

const LENGTH_RULES = [
  ['maxLength', isAtMost, 'more'],
  ['minLength', isAtLeast, 'fewer'],
] as const;

/** Digits behind the point to which multiples are exact: 0.3 is a multiple of 0.1 then. */
const MULTIPLE_PRECISION = 9;

const TOO_LARGE: Violation = { pointer: '', rule: 'complexity', message: 'has too large a schema to be checked' };
const TOO_COMPLEX: Violation = { pointer: '', rule: 'complexity', message: 'takes too many steps to check' };

/** The last one is that of the outermost schema: those before it say why no branch of it was right. Of a condition there is but one branch. */
function telling(errors: readonly ErrorObject[] | null | undefined): ErrorObject | undefined {
  return errors?.findLast(({ keyword }) => keyword !== 'if') ?? errors?.at(-1);
}

function violationOf(errors: readonly ErrorObject[] | null | undefined): Violation {
  const error = telling(errors);
  if (error === undefined) return TOO_COMPLEX;
  const { instancePath, keyword, message = 'is not as described', params } = error;
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const pointer =
    typeof extra === 'string' ? `${instancePath}/${extra.replaceAll('~', '~0').replaceAll('/', '~1')}` : instancePath;
  if (typeof extra === 'string') return { pointer, rule: keyword, message: 'is not described' };
  if (keyword === UNIQUE_KEYWORD) return { pointer, rule: 'uniqueItems', message: 'must have no item twice' };
  if (keyword === VALUES_KEYWORD) return { pointer, rule: 'enum', message: 'must be one of the described values' };
  return { pointer, rule: keyword === 'false schema' ? 'false' : keyword, message };
}
