import type { NamedType } from '../../model/named-types.ts';
import { constantCase, pascalCase, snakeCase, type Casing } from '../../names/casing.ts';
import { UniqueNames } from '../../names/unique-names.ts';

/** Words that Python keeps for itself, and names that its own code in a class or a method needs. */
export const keywords: readonly string[] =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  );
const builtins = 'str int float bool bytes self cls classmethod'.split(' ');
/** Functions that methods of the client call: a parameter of the same name would hide them. */
const helpers = 'list_of sequence_of map_of nullable object_of enum_of path_value json_path_value datetime'.split(' ');

/** Names of classes that the modules import or define beside those of the description. */
const classes =
  'Any Dict List Mapping Optional Sequence Tuple Union Enum Client Codec FilePart FormField FormObject FormWriter JsonObject ObjectReader ObjectWriter OperationCall BaseClient Scheme Transport Unset'.split(
    ' ',
  );

const taken = new Set([...keywords, ...builtins, ...helpers]);

/** PEP 8: what is reserved gets an underscore at its end. */
const memberCase: Casing = (words) => {
  const name = snakeCase(words);
  return taken.has(name) ? `${name}_` : name;
};

/** For the fields of one class, the methods of the client, or the parameters of one of them. */
export function memberNames(reserved: readonly string[] = []): UniqueNames {
  return new UniqueNames(memberCase, reserved);
}

/** For the members of one enum. */
export function enumMemberNames(): UniqueNames {
  return new UniqueNames(constantCase);
}

/** A named type with what it is called in Python. */
export interface PythonType {
  readonly type: NamedType;
  /** Of the class, or of the alias of a union. */
  readonly name: string;
  /** Of the constant that reads and writes a union. */
  readonly codec: string;
}

export type PythonTypes = ReadonlyMap<string, PythonType>;

export function pythonTypes(types: readonly NamedType[]): PythonTypes {
  const names = new UniqueNames(pascalCase, [...keywords, ...classes]);
  return new Map(
    types.map((type) => [type.id, { type, name: names.take(type.words), codec: `${constantCase(type.words)}_CODEC` }]),
  );
}
