import type { SdkObject, SdkProperty } from '../../model/named-types.ts';
import { impliedTags, onlyTag } from '../../model/union-members.ts';
import { camelCase } from '../../names/casing.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { fieldNames } from './csharp-field-names.ts';
import { sourceFile } from './csharp-file.ts';
import { formWriter } from './csharp-forms.ts';
import { propertyNames } from './csharp-names.ts';
import { csharpString, xmlDocumentation } from './csharp-text.ts';
import { CsharpTypes, isValueType } from './csharp-types.ts';

/** A property with what it is called in C#. */
export interface CsharpField {
  readonly property: SdkProperty;
  readonly name: string;
  /** A literal of the name in JSON. */
  readonly wire: string;
  /** Of the flag that tells null from absence, where both may be. */
  readonly flag: string | undefined;
  /** Whether the property can be null or, as a value, has a question mark. */
  readonly mayBeNull: boolean;
}

export interface CsharpFields {
  readonly fields: readonly CsharpField[];
  /** What holds the fields without a name of their own. */
  readonly additional: string;
}

export function fieldsOf(context: CsharpContext, object: SdkObject): CsharpFields {
  const names = propertyNames(context.names.get(object.id)?.type ?? '');
  const plain = object.properties.map((property) => ({ property, name: names.take(property.words) }));
  const fields = plain.map(({ property, name }) => {
    const isNullable = property.type.kind === 'nullable';
    const hasFlag = isNullable && !property.isRequired && !object.isForm;
    return {
      property,
      name,
      wire: csharpString(property.wireName),
      flag: hasFlag ? names.take(['has', ...property.words]) : undefined,
      mayBeNull: isNullable || !property.isRequired,
    };
  });
  return { fields, additional: names.take(['additional', 'properties']) };
}

export const usingsOfModels = [
  'System',
  'System.Collections.Generic',
  'Newtonsoft.Json',
  'Newtonsoft.Json.Linq',
  '.',
  '.Internal',
] as const;

export function objectFile(context: CsharpContext, object: SdkObject): SdkFile {
  const className = context.names.get(object.id)?.type ?? '';
  const named = fieldsOf(context, object);
  const members = named.fields.map(({ name }) => name);
  const types = new CsharpTypes(context, 'Models', members);
  const bases = [
    ...(object.isForm ? [] : ['IJsonModel']),
    ...(context.unions.get(object.id) ?? []).map((union) => context.names.get(union.id)?.type ?? ''),
  ];
  return sourceFile(context, 'Models', className, usingsOfModels, [
    xmlDocumentation({ texts: [object.description] }),
    object.isDeprecated && '[Obsolete]',
    !object.isForm && '[JsonConverter(typeof(ModelConverter))]',
    `public sealed class ${className}${bases.length > 0 ? ` : ${bases.join(', ')}` : ''}`,
    '{',
    indented(
      [
        fieldNames(context, object),
        named.fields.map((field) => [declaration(context, types, object, field), '']),
        object.additional !== undefined && [
          '/// <summary>Fields beside those that the description names.</summary>',
          `public IDictionary<string, ${types.typeOf(object.additional)}> ${named.additional} { get; set; } = new Dictionary<string, ${types.typeOf(object.additional)}>();`,
          '',
        ],
        object.isForm
          ? formWriter(types, object, named)
          : [reader(types, object, named, className), '', writer(context, types, object, named)],
      ],
      '    ',
    ),
    '}',
  ]);
}

function declaration(context: CsharpContext, types: CsharpTypes, object: SdkObject, field: CsharpField): Lines {
  const { property, name, flag, mayBeNull } = field;
  const type = mayBeNull ? types.nullableTypeOf(property.type) : types.typeOf(property.type);
  const documentation = xmlDocumentation({
    texts: [property.description],
    notes: [
      ...(property.isReadOnly ? ['Only in answers.'] : []),
      ...(property.isWriteOnly ? ['Only in requests.'] : []),
      ...(property.isRequired ? ['Required.'] : []),
    ],
  });
  if (flag === undefined) {
    const initial = initialTag(context, types, object, property);
    return [
      documentation,
      property.isDeprecated && '[Obsolete]',
      `public ${type} ${name} { get; set; }${initial === '' ? '' : ` = ${initial};`}`,
    ];
  }
  const hidden = `_${camelCase(property.words)}`;
  return [
    `private ${type} ${hidden};`,
    '',
    documentation,
    property.isDeprecated && '[Obsolete]',
    `public ${type} ${name}`,
    '{',
    `    get { return ${hidden}; }`,
    '    set',
    '    {',
    `        ${hidden} = value;`,
    `        ${flag} = true;`,
    '    }',
    '}',
    '',
    `/// <summary>Whether ${name} is there at all, as a value or as null: set by setting it.</summary>`,
    `public bool ${flag} { get; set; }`,
  ];
}

/** A field that tells which one of a union the object is holds that from the start, where there is only one thing to say. */
function initialTag(context: CsharpContext, types: CsharpTypes, object: SdkObject, property: SdkProperty): string {
  const tag = onlyTag(context.unions, object, property);
  if (tag === undefined) return '';
  if (property.type.kind === 'string') return csharpString(tag);
  const named = property.type.kind === 'named' ? context.types.get(property.type.id) : undefined;
  return named?.kind === 'enum' && named.base === 'string'
    ? `${types.readerClassOf(named.id)}.Of(${csharpString(tag)})`
    : '';
}

function reader(types: CsharpTypes, object: SdkObject, { fields, additional }: CsharpFields, className: string): Lines {
  const statements = fields.map(({ property, name, wire, flag, mayBeNull }) => {
    const value = read(types, property, wire, mayBeNull);
    return flag === undefined
      ? `result.${name} = ${value};`
      : [`if (fields.Property(${wire}) != null)`, '{', `    result.${name} = ${value};`, '}'];
  });
  return [
    `public static ${className} FromJson(JToken json)`,
    '{',
    fields.length > 0 || object.additional !== undefined
      ? '    var fields = Read.Object(json);'
      : '    Read.Object(json);',
    `    var result = new ${className}();`,
    indented(statements, '    '),
    object.additional !== undefined &&
      `    result.${additional} = Read.Others<${types.typeOf(object.additional)}>(fields, KnownNames, ${types.readerOf(object.additional)});`,
    '    return result;',
    '}',
  ];
}

function read(types: CsharpTypes, property: SdkProperty, wire: string, mayBeNull: boolean): string {
  const { type } = property;
  if (property.isRequired) {
    const written = mayBeNull ? types.nullableTypeOf(type) : types.typeOf(type);
    return `Read.Required<${written}>(fields, ${wire}, ${types.readerOf(type)})`;
  }
  const inner = type.kind === 'nullable' ? type.type : type;
  // The null of JSON is a value of a field that takes anything.
  if (inner.kind === 'any') return `fields[${wire}]`;
  if (!isValueType(inner)) return `Read.Optional<${types.typeOf(inner)}>(fields, ${wire}, ${types.readerOf(inner)})`;
  const value = `Read.OptionalValue<${types.typeOf(inner)}>(fields, ${wire}, ${types.readerOf(inner)})`;
  return mayBeNull ? value : `${value}.GetValueOrDefault()`;
}

function writer(
  context: CsharpContext,
  types: CsharpTypes,
  object: SdkObject,
  { fields, additional }: CsharpFields,
): Lines {
  const statements = fields
    .filter(({ property }) => !property.isReadOnly)
    .map(({ property: { type, isRequired }, name, wire, flag }) => {
      const add = (value: string): string => `json.Add(${wire}, ${types.written(type, value)});`;
      if (flag !== undefined) return [`if (${flag})`, '{', `    ${add(name)}`, '}'];
      if (isRequired)
        return add(
          type.kind === 'nullable' || isValueType(type) ? name : `Write.Required(${name}, ${csharpString(name)})`,
        );
      return [`if (${name} != null)`, '{', `    ${add(isValueType(type) ? `${name}.Value` : name)}`, '}'];
    });
  return [
    '/// <summary>The object as it is sent: without what is only in answers.</summary>',
    'public JToken ToJson()',
    '{',
    '    var json = new JObject();',
    indented(statements, '    '),
    impliedTags(context.unions, object).map(
      ([name, tag]) => `    json.Add(${csharpString(name)}, ${csharpString(tag)});`,
    ),
    object.additional !== undefined &&
      `    Write.Others<${types.typeOf(object.additional)}>(json, ${additional}, item => ${types.written(object.additional, 'item')});`,
    '    return json;',
    '}',
  ];
}
