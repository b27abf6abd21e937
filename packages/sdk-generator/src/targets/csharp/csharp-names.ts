import { camelCase, pascalCase } from '../../names/casing.ts';
import type { Casing } from '../../names/casing.ts';
import { deviceNames } from '../../names/device-names.ts';
import { UniqueNames } from '../../names/unique-names.ts';

/** Keywords of C#, and those that are some only in places where parameters of ours stand. */
const keywords: ReadonlySet<string> = new Set(
  (
    'abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum ' +
    'event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace ' +
    'new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof ' +
    'stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void ' +
    'volatile while await async var dynamic nameof'
  ).split(' '),
);

/** Members that every object has, or that generated classes have, and what their code calls by its name. */
const membersOfObjects =
  'Equals GetHashCode GetType ToString MemberwiseClone ReferenceEquals Finalize ToJson FromJson ToForm Read Write ParameterStyle KnownNames RequiredNames'.split(
    ' ',
  );

/** What generated files name themselves: a type of such a name would hide it. */
const namesUsed =
  'ApiClientException ApiConnectionException ApiDecodeException ApiException ApiRequest ApiTimeoutException CancellationToken ' +
  'DateTime DateTimeOffset Dictionary FilePart FormData Func HashSet IDictionary IEquatable IJsonModel IReadOnlyDictionary ' +
  'IReadOnlyList JObject JToken JValue JsonConverter KeyValuePair List ModelConverter ModelReader Obsolete ParameterStyle Read ' +
  'Scheme Stream String Object Task Transport Write Newtonsoft System Models Api Internal';

/** Names of types. Files are called like them, so that case does not count. */
export function typeNames(reserved: Iterable<string> = []): UniqueNames {
  return new UniqueNames(pascalCase, [...namesUsed.split(' '), ...deviceNames, ...reserved], false);
}

/** Properties of one class. None is called like its class, which C# does not have: `ErrorValue` then. */
export function propertyNames(className: string, more: readonly string[] = []): UniqueNames {
  const reserved = new Set([...membersOfObjects, className, ...more]);
  const casing: Casing = (words) => (reserved.has(pascalCase(words)) ? `${pascalCase(words)}Value` : pascalCase(words));
  return new UniqueNames(casing, reserved);
}

/** Methods of one class, which all end in `Async`. */
export function methodNames(className: string): UniqueNames {
  return new UniqueNames((words) => `${pascalCase(words)}Async`, [className]);
}

/** Parameters of one method. */
export function parameterNames(reserved: Iterable<string>): UniqueNames {
  const casing: Casing = (words) => (keywords.has(camelCase(words)) ? `@${camelCase(words)}` : camelCase(words));
  return new UniqueNames(casing, reserved);
}

/** Values of an enum. */
export function constantNames(className: string): UniqueNames {
  return propertyNames(className, ['Value', 'Of', 'Known']);
}
