import type { NamedType, SdkObject } from '../../model/named-types.ts';
import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { OperationNames, TsNames } from './ts-names.ts';
import { literal } from './ts-text.ts';
import { tagField } from './ts-types.ts';

/** Objects in each other that an example shows. */
const depthMax = 6;

/** The lines of an example that compiles: a client, and a call of the operation that wants least. */
export function exampleLines(model: SdkModel, names: TsNames, packageName: string): readonly string[] {
  const example = firstExample(model, (_, index) => {
    const found = names.operations[index];
    const argument = found && argumentText(names, found);
    return found === undefined || argument === undefined ? undefined : `await client.${found.method}(${argument})`;
  });
  const options = optionsOf(model, example?.operation);
  const start = [
    `import { ApiClient, ApiError } from '${packageName}';`,
    '',
    `const client = new ApiClient(${options.length === 0 ? '' : `{ ${options.join(', ')} }`});`,
  ];
  if (example === undefined) return start;
  const { operation, call } = example;
  return [
    ...start,
    'try {',
    operation.result.kind === 'none' ? `  ${call};` : `  console.log(${call});`,
    '} catch (error) {',
    '  if (!(error instanceof ApiError)) throw error;',
    '  console.error(error.status, error.json ?? error.body);',
    '}',
  ];
}

function optionsOf(model: SdkModel, operation: SdkOperation | undefined): readonly string[] {
  const credentials = {
    bearer: "bearerToken: 'TOKEN'",
    apiKey: "apiKey: 'KEY'",
    basic: "basicAuth: { name: 'NAME', password: 'PASSWORD' }",
  };
  return [
    ...(model.baseUrl === undefined ? ["baseUrl: 'https://api.example.com'"] : []),
    ...credentialsForExample(model, operation).map((kind) => credentials[kind]),
  ];
}

/** What the call needs; nothing where that cannot be shown. */
function argumentText(names: TsNames, { operation, parameters }: OperationNames): string | undefined {
  const { body } = operation;
  const needed = operation.parameters.flatMap(({ isRequired, type }, index) =>
    isRequired ? [{ name: parameters[index] ?? '', value: valueText(names, type) }] : [],
  );
  if (body?.isRequired === true) {
    needed.push({
      name: 'body',
      value: body.kind === 'binary' ? 'new Uint8Array([1, 2, 3])' : valueText(names, body.type),
    });
  }
  if (needed.some(({ value }) => value === undefined)) return undefined;
  return needed.length === 0 ? '' : `{ ${needed.map(({ name, value }) => `${name}: ${value ?? ''}`).join(', ')} }`;
}

function valueText(names: TsNames, type: TypeRef, depth = 0): string | undefined {
  switch (type.kind) {
    case 'string':
      return "'text'";
    case 'integer':
    case 'number':
      return '1';
    case 'boolean':
      return 'true';
    case 'date':
      return "'2024-01-31'";
    case 'dateTime':
      return "new Date('2024-01-31T12:00:00Z')";
    case 'bytes':
      return 'new Uint8Array([1, 2, 3])';
    case 'binary':
      return "{ content: new Blob(['content']), fileName: 'file.txt' }";
    case 'any':
      return "'anything'";
    case 'list': {
      const item = valueText(names, type.items, depth);
      return item === undefined ? '[]' : `[${item}]`;
    }
    case 'map': {
      const value = valueText(names, type.values, depth);
      return value === undefined ? '{}' : `{ key: ${value} }`;
    }
    case 'nullable':
      return 'null';
    case 'named':
      return namedValue(names, names.types.get(type.id), depth);
  }
}

function namedValue(names: TsNames, type: NamedType | undefined, depth: number): string | undefined {
  if (type === undefined || depth > depthMax) return undefined;
  if (type.kind === 'object') return objectValue(names, type, depth);
  if (type.kind === 'enum') {
    const value = type.values[0]?.value;
    return typeof value === 'string' ? literal(value) : value?.toString();
  }
  for (const variant of type.variants) {
    const object = variant.type.kind === 'named' ? names.types.get(variant.type.id) : undefined;
    const [tag] = variant.tags;
    const field = tag === undefined ? undefined : tagField(names, type, variant);
    const value =
      object?.kind === 'object' && field !== undefined && tag !== undefined
        ? objectValue(names, object, depth, { name: field.name, value: literal(tag) })
        : valueText(names, variant.type, depth + 1);
    if (value !== undefined) return value;
  }
  return undefined;
}

function objectValue(
  names: TsNames,
  type: SdkObject,
  depth: number,
  tag?: { readonly name: string; readonly value: string },
): string | undefined {
  const fields = names.fieldsOf(type);
  const needed = type.properties.flatMap((property, index) => {
    const name = fields[index] ?? '';
    if (name === tag?.name) return [{ name, value: tag.value }];
    return property.isRequired ? [{ name, value: valueText(names, property.type, depth + 1) }] : [];
  });
  if (needed.some(({ value }) => value === undefined)) return undefined;
  return needed.length === 0 ? '{}' : `{ ${needed.map(({ name, value }) => `${name}: ${value ?? ''}`).join(', ')} }`;
}
