import type { NamedType, SdkEnum, SdkObject, SdkUnion } from '../../model/named-types.ts';
import { variantIds, variantsToTry } from '../../model/variant-order.ts';
import { indented, textOf, type Lines } from '../../source-text/lines.ts';
import { Imports } from './imports.ts';
import { formClass, objectClass } from './model-classes.ts';
import { enumMemberNames, type PythonType, type PythonTypes } from './names.ts';
import { docstring, docText, literal, tuple } from './text.ts';
import { enumBases, TypeWriter } from './types.ts';

/** `models.py`: a class for each object and enum, an alias for each union. */
export function modelsModule(types: PythonTypes, head: string): string {
  const imports = new Imports();
  const writer = new TypeWriter(types, imports);
  const byId = new Map([...types].map(([id, { type }]) => [id, type]));
  const all = [...types.values()];
  const variants = variantIds(byId.values());
  const classes = all.flatMap((named) => {
    const { type } = named;
    if (type.kind === 'enum') return [enumClass(type, named.name, imports)];
    if (type.kind !== 'object') return [];
    if (type.isForm) return [formClass(type, named.name, imports, writer)];
    return [objectClass(type, named.name, variants.has(type.id), imports, writer)];
  });
  // Aliases are looked up when the module is loaded: what they name has to be there, or in quotes.
  const aliases = all.flatMap(({ type, ...named }) =>
    type.kind === 'union' ? [unionAlias(type, { type, ...named }, byId, imports, writer)] : [],
  );
  return textOf(
    head,
    '',
    docstring(['The types of this API.']),
    '',
    imports.lines(),
    [...classes, ...aliases].map((lines) => ['', '', lines]),
  );
}

function enumClass(type: SdkEnum, name: string, imports: Imports): Lines {
  const names = enumMemberNames();
  const isText = type.base === 'string';
  return [
    `class ${name}(${enumBases[type.base].annotation}, ${imports.from('enum', 'Enum')}):`,
    indented(
      [
        docstring(docLines(type, name)),
        '',
        type.values.map(({ value, words }) => {
          const written = typeof value === 'string' ? literal(value) : numberLiteral(value, type.base);
          return `${names.take(words)} = ${written}`;
        }),
        isText && ['', 'def __str__(self) -> str:', '    return str(self.value)'],
      ],
      '    ',
    ),
  ];
}

function numberLiteral(value: number, base: SdkEnum['base']): string {
  const text = String(value);
  return base === 'number' && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function unionAlias(
  union: SdkUnion,
  { name, codec }: PythonType,
  byId: ReadonlyMap<string, NamedType>,
  imports: Imports,
  writer: TypeWriter,
): Lines {
  const annotations = new Set(union.variants.map(({ type }) => writer.annotation(type)));
  const variants = variantsToTry(byId, union).map(
    ({ type, tags }) => `(${writer.codec(type)}, ${tuple(tags.map(literal))}),`,
  );
  const discriminator = union.discriminator === undefined ? 'None' : literal(union.discriminator);
  return [
    docText(union.description).map((line) => `#: ${line}`.trimEnd()),
    `${name} = ${imports.from('typing', 'Union')}[`,
    [...annotations].map((annotation) => `    ${literal(annotation)},`),
    ']',
    `${codec}: ${imports.from('._codec', 'Codec')}[${literal(name)}] = ${imports.from('._codec', 'one_of')}(`,
    `    ${discriminator},`,
    '    lambda: [',
    variants.map((variant) => `        ${variant}`),
    '    ],',
    ')',
  ];
}

function docLines(type: SdkEnum | SdkObject, name: string): readonly string[] {
  const lines = docText(type.description);
  return [...(lines.length === 0 ? [`${name}.`] : lines), ...(type.isDeprecated ? ['', 'Deprecated.'] : [])];
}
