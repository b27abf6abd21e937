import { catalogue } from '@portcullis/resources';
import type { Schema } from '../isolation/described-operations.test-support.ts';
import { edgeText, hasOwnForm, numberIn } from './edge-texts.test-support.ts';
import { pointerOf, type Steps, valueAt, without, withValue } from './json-path.test-support.ts';
import { typesOf } from './schema-types.test-support.ts';

/** A body with one thing about it. */
export interface FieldCase {
  readonly title: string;
  readonly body: unknown;
  /** Where the one thing is. */
  readonly pointer: string;
  readonly isAccepted: boolean;
  /** The characters of a text are what is tried. */
  readonly isAboutText?: boolean;
  /** How the characters of a text are counted is what is tried. */
  readonly isAboutCount?: boolean;
}

/** What cases are made from. */
export interface CaseSource {
  readonly tag: string;
  readonly schema: Schema;
  readonly resolve: (schema: Schema) => Schema;
  /** A field that is null, at any depth but inside of lists, is one to take away. Source: RFC 7386. */
  readonly isMergePatch: boolean;
  /** A valid body, new each time, and the mark that stands in its texts. */
  readonly fresh: () => { readonly body: unknown; readonly mark: string };
}

/** Values of every type of JSON that a schema might not take. */
const typeSamples: Readonly<Record<string, unknown>> = {
  string: 'a text',
  number: 1.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

const unknownName = 'zz_unknown';
const depthMax = 6;
/** Longer texts are left out of the count of characters: it would take a hundred times as long to say the same. */
const wordLengthMax = 2_000;

/** Every case that a body's schema gives rise to. */
export function fieldCases(source: CaseSource): FieldCase[] {
  return placeCases(source, source.schema, []);
}

function placeCases(source: CaseSource, given: Schema, steps: Steps): FieldCase[] {
  const options = optionsOf(source, given);
  const types = new Set(options.flatMap(typesOf));
  if (options.some((option) => typesOf(option).length === 0) || steps.length > depthMax) return [];
  const [only, ...others] = options.filter((option) => option['type'] !== 'null');
  const isPlain = only !== undefined && others.length === 0;
  return [...wrongTypes(source, types, steps), ...(isPlain ? casesOfType(source, only, steps) : [])];
}

function casesOfType(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) {
    const isText = typesOf(schema).includes('string');
    return isText ? [refused(source, steps, 'a word that is none of the choices', 'no-such-choice')] : [];
  }
  if (schema['type'] === 'string') return textCases(source, schema, steps);
  if (schema['type'] === 'integer' || schema['type'] === 'number') return numberCases(source, schema, steps);
  if (schema['type'] === 'array') return listCases(source, schema, steps);
  return schema['type'] === 'object' ? objectCases(source, schema, steps) : [];
}

function wrongTypes(source: CaseSource, types: ReadonlySet<string>, steps: Steps): FieldCase[] {
  return Object.entries(typeSamples)
    .filter(([type]) => !types.has(type) && !(type === 'null' && isAbsence(source, steps)))
    .map(([type, value]) => refused(source, steps, `${type} in its place`, value));
}

/** Whether `null` means that there is no value: also at the top of a whole record, where required fields are another test's. */
function isAbsence({ tag, isMergePatch }: CaseSource, steps: Steps): boolean {
  if (isMergePatch) return isOutsideOfLists(steps);
  return steps.length === 1 && catalogue.some(({ name }) => name === tag);
}

function isOutsideOfLists(steps: Steps): boolean {
  return steps.length > 0 && steps.every((step) => typeof step === 'string');
}

function textCases(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  const place = { tag: source.tag, pointer: pointerOf(steps) };
  const text = (length: number, mark: string) => edgeText(place, schema, length, mark);
  const sized = (length: number, isAccepted: boolean): FieldCase[] => {
    if (length < 0) return [];
    const { body, mark } = source.fresh();
    const value = isAccepted ? text(length, mark) : (text(length, mark) ?? 'a'.repeat(length));
    if (value === undefined) return [];
    return [{ title: `${length} characters`, body: withValue(body, steps, value), pointer: place.pointer, isAccepted }];
  };
  const [least, most] = [numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')];
  return [
    ...(least === undefined ? [] : [...sized(least, true), ...sized(least - 1, false)]),
    ...(most === undefined ? [] : [...sized(most, true), ...sized(most + 1, false)]),
    ...(typeof schema['pattern'] === 'string'
      ? [refused(source, steps, 'another form', offForm(schema['pattern']))]
      : []),
    { ...refused(source, steps, 'NUL', 'a\0b'), isAboutText: true },
    { ...refused(source, steps, 'an unpaired surrogate', 'a\ud800b'), isAboutText: true },
    ...(schema['pattern'] === undefined ? wordCases(source, schema, steps) : []),
  ];
}

/** What people call things: in any script, but in one line. */
function wordCases(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  const place = { tag: source.tag, pointer: pointerOf(steps) };
  const isRecord = catalogue.some(({ name }) => name === source.tag);
  if (
    !isRecord ||
    hasOwnForm(place) ||
    !['name', 'username', 'description', 'custom_id'].includes(String(steps.at(-1)))
  )
    return [];
  const { body, mark } = source.fresh();
  const most = numberIn(schema, 'maxLength') ?? 0;
  const unicode = `Ünïcode 名前 🦊 שלום ${mark}`;
  // Counted as JSON Schema counts: by characters, of which these are two units each in UTF-16.
  const long = '🦊'.repeat(Math.max(0, most - mark.length)) + mark.slice(-most);
  const taken = (title: string, value: string): FieldCase => ({
    ...accepted(source, steps, title, value),
    body: withValue(body, steps, value),
    isAboutText: true,
  });
  const isOneLine = steps.at(-1) !== 'description';
  return [
    taken('Unicode', unicode),
    ...(most > 0 && most <= wordLengthMax
      ? [{ ...taken(`${most} characters beyond the first plane`, long), isAboutCount: true }]
      : []),
    ...(isOneLine
      ? ['\u0007', '\u001b[31m', '\r\n', '\u007f'].map((control) => ({
          ...refused(source, steps, `the control character ${JSON.stringify(control)}`, `a${control}b`),
          isAboutText: true,
        }))
      : []),
  ];
}

/** A text that the pattern does not take. */
function offForm(pattern: string): string {
  const texts = ['\u0001', 'a b\n', '', 'ü', '../..', '.'.repeat(100)];
  return texts.find((text) => !new RegExp(pattern).test(text)) ?? '\u0001';
}

function numberCases(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  const isWhole = schema['type'] === 'integer';
  const cases: FieldCase[] = [];
  for (const [keyword, awaySteps, edgeSteps] of [
    ['minimum', -1, 0],
    ['maximum', 1, 0],
    ['exclusiveMinimum', 0, 1],
    ['exclusiveMaximum', 0, -1],
  ] as const) {
    const bound = numberIn(schema, keyword);
    // Beyond this a number has no neighbours.
    if (bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER) continue;
    // Large numbers lie further apart than a thousandth.
    const step = isWhole ? 1 : Math.max(0.001, Math.abs(bound) * 2 * Number.EPSILON);
    cases.push(accepted(source, steps, `${keyword} ${bound}`, bound + edgeSteps * step));
    cases.push(refused(source, steps, `one beyond ${keyword} ${bound}`, bound + awaySteps * step));
  }
  return cases;
}

function listCases(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  const items = schema['items'];
  if (typeof items !== 'object' || items === null) return [];
  const item = items as Schema;
  const cases = placeCases(itemSource(source, steps, item), item, [...steps, 0]);
  // What a sample holds is taken; beside it the description is all there is to go by.
  const given: unknown = valueAt(source.fresh().body, [...steps, 0]);
  const choices = item['enum'];
  const listOf = (length: number): unknown[] | undefined => {
    const isObject = typeof given === 'object' && given !== null;
    const list = Array.from({ length }, (_, index) =>
      isObject ? given : sampleValue(source, item, `n${index}x`, index),
    );
    return list.includes(undefined) ? undefined : list;
  };
  for (const [keyword, away] of [
    ['minItems', -1],
    ['maxItems', 1],
  ] as const) {
    const bound = numberIn(schema, keyword);
    // A list of different words cannot be longer than there are words.
    if (Array.isArray(choices) && bound !== undefined && choices.length < bound) continue;
    const [edge, beyond] =
      bound === undefined ? [] : [listOf(bound), bound + away < 0 ? undefined : listOf(bound + away)];
    if (edge) cases.push(accepted(source, steps, `${keyword} ${bound}`, edge));
    if (beyond) cases.push(refused(source, steps, `one beyond ${keyword} ${bound}`, beyond));
  }
  return cases;
}

/** The source with a body that has one item in the list, so that there is something to change. */
function itemSource(source: CaseSource, steps: Steps, item: Schema): CaseSource {
  return {
    ...source,
    fresh() {
      const { body, mark } = source.fresh();
      const list = valueAt(body, steps);
      if (Array.isArray(list) && list.length > 0) return { body, mark };
      const value = sampleValue(source, item, mark);
      return { body: value === undefined ? body : withValue(body, steps, [value]), mark };
    },
  };
}

function objectCases(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const cases = properties.flatMap(([name, inner]) => placeCases(source, inner, [...steps, name]));
  for (const name of required) {
    const body = without(source.fresh().body, [...steps, name]);
    const isThere = steps.length === 0 || valueAt(body, steps) !== undefined;
    if (isThere) cases.push({ title: 'left out', body, pointer: pointerOf([...steps, name]), isAccepted: false });
  }
  if (schema['additionalProperties'] === false) {
    cases.push(refused(source, [...steps, unknownName], 'unknown field', 'x'));
  } else if (typeof schema['additionalProperties'] === 'object') {
    cases.push(...mapCases(source, schema, steps));
  }
  return cases;
}

/** Keys, values and size of an object whose keys are the caller's. */
function mapCases(source: CaseSource, schema: Schema, steps: Steps): FieldCase[] {
  const inner = schema['additionalProperties'] as Schema;
  const cases = placeCases(source, inner, [...steps, 'a-key']);
  const sample = sampleValue(source, inner, 'a-value');
  if (sample === undefined) return cases;
  const keyMax = numberIn((schema['propertyNames'] ?? {}) as Schema, 'maxLength');
  const sizeMax = numberIn(schema, 'maxProperties');
  const mapOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, sample]));
  const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);
  if (keyMax !== undefined) {
    cases.push(accepted(source, steps, `a key of ${keyMax} characters`, mapOf(['k'.repeat(keyMax)])));
    cases.push(refused(source, steps, `a key of ${keyMax + 1} characters`, mapOf(['k'.repeat(keyMax + 1)])));
  }
  if (sizeMax !== undefined) {
    cases.push(accepted(source, steps, `${sizeMax} entries`, mapOf(keysOf(sizeMax))));
    cases.push(refused(source, steps, `${sizeMax + 1} entries`, mapOf(keysOf(sizeMax + 1))));
  }
  return cases;
}

/** The least that a schema takes; nothing where that cannot be told from the description. */
function sampleValue(source: CaseSource, given: Schema, mark: string, index = 0): unknown {
  const [schema] = optionsOf(source, given).filter((option) => option['type'] !== 'null');
  if (!schema) return undefined;
  if (Array.isArray(schema['enum'])) return schema['enum'][index];
  if (schema['type'] === 'string') {
    const length = Math.max(
      numberIn(schema, 'minLength') ?? 1,
      Math.min(mark.length, numberIn(schema, 'maxLength') ?? 63),
    );
    return edgeText({ tag: '', pointer: '' }, schema, length, mark);
  }
  if (schema['type'] === 'integer' || schema['type'] === 'number') return (numberIn(schema, 'minimum') ?? 1) + index;
  if (schema['type'] === 'boolean') return true;
  if (schema['type'] === 'array') {
    if (Array.isArray(schema['prefixItems'])) {
      return schema['prefixItems'].map((item: Schema) => sampleValue(source, item, mark, index));
    }
    const items = (schema['items'] ?? {}) as Schema;
    return Array.from({ length: numberIn(schema, 'minItems') ?? 0 }, () => sampleValue(source, items, mark));
  }
  if (schema['type'] !== 'object') return undefined;
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  // Where each field may be absent, all of them together often may not: a number is right as it comes.
  const isNumber = (name: string): boolean => ['integer', 'number'].includes(String(properties[name]?.['type']));
  const names = required.length > 0 ? required : Object.keys(properties).filter(isNumber).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, sampleValue(source, properties[name] ?? {}, mark)]));
}

function refused(source: CaseSource, steps: Steps, title: string, value: unknown): FieldCase {
  const body = withValue(source.fresh().body, steps, value);
  return { title, body, pointer: pointerOf(steps), isAccepted: false };
}

function accepted(source: CaseSource, steps: Steps, title: string, value: unknown): FieldCase {
  return { ...refused(source, steps, title, value), isAccepted: true };
}

function optionsOf(source: CaseSource, given: Schema): readonly Schema[] {
  const schema = source.resolve(given);
  const options = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(options) ? options.flatMap((option: Schema) => optionsOf(source, option)) : [schema];
}
