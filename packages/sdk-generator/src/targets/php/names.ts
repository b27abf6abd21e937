import type { NamedType } from '../../model/named-types.ts';
import { camelCase, constantCase, pascalCase, type Casing } from '../../names/casing.ts';
import { deviceNames } from '../../names/device-names.ts';
import { UniqueNames } from '../../names/unique-names.ts';
import type { Words } from '../../names/words.ts';

/** Words that no class may be called, in lower case: PHP does not look at the case of classes. */
const reserved =
  'abstract and array as bool break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends false final finally float fn for foreach function global goto if implements include instanceof insteadof int interface isset iterable list match mixed namespace never new null numeric object or parent print private protected public readonly require resource return self static string switch throw trait true try unset use var void while xor yield'.split(
    ' ',
  );
/** Classes that files of models refer to beside those of the description. */
const imported = 'Absent Codec FilePart FormField FormObject JsonObject ObjectReader ObjectWriter'.split(' ');

/** Files are called like their classes. */
const classWords = new Set([...reserved, ...deviceNames, ...imported.map((name) => name.toLowerCase())]);

const classCase: Casing = (words) => {
  const name = pascalCase(words);
  return classWords.has(name.toLowerCase()) ? `${name}Model` : name;
};

const variableCase: Casing = (words) => {
  const name = camelCase(words);
  return name === 'this' ? 'thisValue' : name;
};

/** For the fields of one class, or the arguments of one method. */
export function variableNames(taken: readonly string[] = []): UniqueNames {
  return new UniqueNames(variableCase, taken);
}

/** For the methods of the client, whose case PHP does not look at. */
export function methodNames(): UniqueNames {
  return new UniqueNames(camelCase, [], false);
}

/** For the cases of one enum. `class` is what every class has. */
export function caseNames(): UniqueNames {
  return new UniqueNames(constantCase, ['CLASS']);
}

export interface PhpType {
  readonly type: NamedType;
  readonly name: string;
}

export type PhpTypes = ReadonlyMap<string, PhpType>;

export function phpTypes(types: readonly NamedType[]): PhpTypes {
  const names = new UniqueNames(classCase, [], false);
  return new Map(types.map((type) => [type.id, { type, name: names.take(type.words) }]));
}

/** The namespace of a Composer package: `acme/pet-store` is `Acme\PetStore`. */
export function namespaceOf(packageName: string): string {
  return packageName
    .split('/')
    .map((part) => {
      const name = pascalCase(wordsOfName(part));
      return reserved.includes(name.toLowerCase()) ? `${name}Api` : name;
    })
    .join('\\');
}

function wordsOfName(part: string): Words {
  return part.split(/[._-]+/);
}
