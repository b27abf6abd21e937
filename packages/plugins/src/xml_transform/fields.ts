import * as v from 'valibot';
import { ENTRIES_MAX, choice, configObject, text } from '../shared/config-fields.ts';
import { isXmlText } from './document/xml-characters.ts';
import { isDeclaration, isQualifiedName } from './document/xml-names.ts';
import { PATH_LENGTH_MAX, compilePath, madeName, type XmlPath } from './paths/xml-path.ts';

/** Longest text that an edit writes, and longest name, in characters. */
export const VALUE_LENGTH_MAX = 65_536;
export const NAME_LENGTH_MAX = 256;

/** Largest number that an edit writes, so that its digits are those of the config. */
const NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** A path, or the rule that it breaks. */
export const pathText = v.pipe(
  text('Path of elements or attributes', PATH_LENGTH_MAX),
  v.check(
    (path) => typeof compilePath(path) === 'object',
    'must be a path such as /order/el, //el, /order/*, /order/el[2] or /order/el/@attr',
  ),
);

/** A path of what can be taken away: a document keeps its root. */
const removablePath = v.pipe(
  pathText,
  v.check((path) => !isRoot(compilePath(path)), 'names the root element, which a document must have'),
);

function isRoot(path: XmlPath | string): boolean {
  return typeof path === 'object' && path.attribute === undefined && path.steps.length === 1 && !path.steps[0]?.isDeep;
}

/** A path whose last name can be made where it is missing. */
const makeablePath = v.pipe(
  pathText,
  v.check((path) => isMakeable(compilePath(path)), 'must end in one name, which is added where it is missing'),
);

function isMakeable(path: XmlPath | string): boolean {
  if (typeof path === 'string') return true;
  const last = path.steps.at(-1);
  if (path.attribute !== undefined) return path.attribute.kind === 'written';
  return !isRoot(path) && last !== undefined && madeName(last) !== undefined;
}

const newName = v.pipe(
  text('Name of an element or attribute', NAME_LENGTH_MAX),
  v.check(isQualifiedName, 'must be a name that XML allows, with at most one prefix'),
  v.check((name) => !isDeclaration(name), 'is the name of a namespace declaration'),
);

/** What an edit writes: text as it is, numbers and flags as JSON writes them. */
const value = v.union(
  [
    v.pipe(text('Text', VALUE_LENGTH_MAX, 0), v.check(isXmlText, 'has characters that XML does not allow')),
    v.pipe(v.number(), v.minValue(-NUMBER_MAX), v.maxValue(NUMBER_MAX)),
    v.boolean(),
  ],
  'must be a text without control characters, a number, true or false',
);

function mapOf<Value extends v.GenericSchema>(description: string, key: typeof pathText, inner: Value) {
  return v.optional(
    v.pipe(
      v.record(key, inner, 'must be a map from path'),
      v.minEntries(1, 'must not be empty'),
      v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.description(description),
    ),
  );
}

/** A map from path to value. */
export function valueMap(description: string) {
  return mapOf(description, pathText, value);
}

/** A map from path to value, whose paths end in one name. */
export function madeValueMap(description: string) {
  // A path with one check more.
  return mapOf(description, makeablePath as unknown as typeof pathText, value);
}

/** A map from path to new name. */
export function nameMap(description: string) {
  return mapOf(description, pathText, newName);
}

/** A list of paths. */
export function pathList(description: string) {
  return v.optional(
    v.pipe(
      v.array(removablePath, 'must be a list of paths'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.description(description),
    ),
  );
}

const operation = v.pipe(
  configObject({
    op: choice('What is done', ['remove', 'rename', 'replace', 'set', 'add']),
    path: pathText,
    value: v.optional(value),
    to: v.optional(newName),
  }),
  v.check(({ op, to }) => (op === 'rename') === (to !== undefined), 'needs to for rename, and only for it'),
  v.check(
    ({ op, value: given }) => ['replace', 'set', 'add'].includes(op) === (given !== undefined),
    'needs a value for replace, set and add, and only for these',
  ),
  v.check(({ op, path }) => op !== 'remove' || !isRoot(compilePath(path)), 'removes the root element'),
  v.check(({ op, path }) => op !== 'add' || isMakeable(compilePath(path)), 'must end in one name to add'),
);

/** A list of edits in an order of their own. */
export function operationList(description: string) {
  return v.optional(
    v.pipe(
      v.array(operation, 'must be a list of operations'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.description(description),
    ),
  );
}
