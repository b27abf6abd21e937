import type { NamedType, SdkEnum, SdkUnion } from '../../model/named-types.ts';
import { variantIds, variantsToTry } from '../../model/variant-order.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import { formClass, objectClass } from './model-classes.ts';
import { caseNames, type PhpTypes } from './names.ts';
import { phpFile, type PhpLibrary } from './php-file.ts';
import { docComment, docText, listLiteral, literal } from './text.ts';
import { enumBases, TypeWriter, valueLiteral } from './types.ts';

/** What files of models may use of the library. */
const used = [
  'Absent',
  'FilePart',
  ...['Codec', 'FormField', 'FormObject', 'JsonObject', 'ObjectReader', 'ObjectWriter'].map(
    (name) => `Runtime\\${name}`,
  ),
];

/** A file for each type. */
export function modelFiles(types: PhpTypes, library: PhpLibrary): readonly SdkFile[] {
  const writer = new TypeWriter(types);
  const byId = new Map([...types].map(([id, { type }]) => [id, type]));
  const context = { byId, variants: variantIds(byId.values()), writer };
  return [...types.values()].map(({ type, name }) =>
    phpFile(library, 'Model', name, declaration(type, name, context), used),
  );
}

interface Context {
  readonly byId: ReadonlyMap<string, NamedType>;
  /** The IDs of what is one of a union. */
  readonly variants: ReadonlySet<string>;
  readonly writer: TypeWriter;
}

function declaration(type: NamedType, name: string, { byId, variants, writer }: Context): Lines {
  const about = docComment([
    docText(type.description),
    type.description === undefined && `${name}.`,
    type.isDeprecated && ['', '@deprecated'],
  ]);
  if (type.kind === 'enum') return [about, enumDeclaration(type, name)];
  if (type.kind === 'union') return [about, unionClass(type, name, byId, writer)];
  return [about, type.isForm ? formClass(type, name, writer) : objectClass(type, name, variants.has(type.id), writer)];
}

/** Only texts and integers can be cases; the rest are constants. */
function enumDeclaration({ base, values }: SdkEnum, name: string): Lines {
  const names = caseNames();
  const isEnum = base !== 'number' && values.length > 0;
  const keyword = isEnum ? 'case' : 'public const';
  return [
    isEnum ? `enum ${name}: ${enumBases[base].native}` : `final class ${name}`,
    '{',
    indented(
      values.map(({ value, words }) => `${keyword} ${names.take(words)} = ${valueLiteral(value, base)};`),
      '    ',
    ),
    '}',
  ];
}

/** PHP has no names for unions: the class has what reads and writes them. */
function unionClass(union: SdkUnion, name: string, byId: ReadonlyMap<string, NamedType>, writer: TypeWriter): Lines {
  const discriminator = union.discriminator === undefined ? 'null' : literal(union.discriminator);
  return [
    `final class ${name}`,
    '{',
    '    /** Reads and writes one of its types. */',
    '    public static function codec(): Codec',
    '    {',
    `        return Codec::oneOf(self::class, ${discriminator}, static fn () => [`,
    variantsToTry(byId, union).map(({ type, tags }) => `            [${writer.codec(type)}, ${listLiteral(tags)}],`),
    '        ]);',
    '    }',
    '}',
  ];
}
