import { camelCase, constantCase, pascalCase, snakeCase } from '../../names/casing.ts';
import type { Casing } from '../../names/casing.ts';
import { deviceNames } from '../../names/device-names.ts';
import { UniqueNames } from '../../names/unique-names.ts';
import { wordsOf } from '../../names/words.ts';

/** Characters of a segment that is suggested. */
const segmentLengthMax = 30;

/** Keywords, literals and names that Java 17 keeps for itself somewhere. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends final ' +
    'finally float for goto if implements import instanceof int interface long native new package private protected ' +
    'public return short static strictfp super switch synchronized this throw throws transient try void volatile while ' +
    'true false null var yield record sealed permits non when'
  ).split(' '),
);

/** A segment of a package, made of the API's title. */
export function packageSegmentOf(title: string): string {
  const name = snakeCase(wordsOf(title)).replaceAll('_', '').slice(0, segmentLengthMax);
  return reservedWords.has(name) || deviceNames.includes(name) ? `${name}api` : name;
}

/**
 * `OrdinaryApiClient` for the package `com.example.ordinaryapi` of an "Ordinary API": a package that is made of the title has lost where
 * its words begin. Never called like the client of HTTP that its own code uses.
 */
export function clientNameOf(title: string, packageName: string): string {
  const last = packageName.split('.').at(-1) ?? '';
  const name = pascalCase(wordsOf(last === packageSegmentOf(title) ? title : last));
  return name === 'Http' ? 'HttpApiClient' : `${name}Client`;
}

/** Methods without arguments that every object has, or that generated classes have. */
const methodsOfObjects = ['getClass', 'hashCode', 'toString', 'notify', 'notifyAll', 'wait', 'clone', 'finalize'];

/** What generated files of models name themselves: a model of such a name would hide it. */
const namesUsedByModels =
  'Override Deprecated SuppressWarnings String Object Integer Long Double Boolean List Map LinkedHashMap Set Optional Objects ' +
  'Arrays Collections ArrayList JsonNode ObjectNode JsonCreator JsonValue JsonReader JsonWriter LocalDate OffsetDateTime ' +
  'FilePart FormData Builder ApiDecodeException ApiException ApiRequest Transport Scheme ParameterStyle BodyPublisher Texts Read Write';

/** `class` is `class_`, as Java people write it. */
const memberCase: Casing = (words) => {
  const name = camelCase(words);
  return reservedWords.has(name) ? `${name}_` : name;
};

/** Files are called like them, so that case does not count. */
export function typeNames(reserved: Iterable<string> = []): UniqueNames {
  return new UniqueNames(pascalCase, [...namesUsedByModels.split(' '), ...deviceNames, ...reserved], false);
}

/** Fields and methods of one class. */
export function memberNames(reserved: Iterable<string> = []): UniqueNames {
  return new UniqueNames(memberCase, [...methodsOfObjects, ...reserved]);
}

/** Variables of one method. */
export function variableNames(reserved: Iterable<string> = []): UniqueNames {
  return new UniqueNames(memberCase, reserved);
}

export function constantNames(reserved: Iterable<string> = []): UniqueNames {
  return new UniqueNames(constantCase, reserved);
}
