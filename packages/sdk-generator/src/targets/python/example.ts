import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkObject } from '../../model/named-types.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { methodNames } from './client.ts';
import { requiredFields } from './model-classes.ts';
import { enumMemberNames, type PythonTypes } from './names.ts';

/** Types inside of types that an example writes out. */
const depthMax = 4;

/** A program that makes one call. */
export function exampleCall(model: SdkModel, types: PythonTypes, module: string): readonly string[] {
  const names = methodNames(model);
  const example = firstExample(model, (operation, index) => {
    const values = argumentsOf(operation, types);
    return values === undefined ? undefined : `client.${names[index] ?? ''}(${values.join(', ')})`;
  });
  const text = example?.call ?? 'client';
  const imported = [
    'ApiError',
    'Client',
    ...(/\bFilePart\(/.test(text) ? ['FilePart'] : []),
    ...(text.includes('models.') ? ['models'] : []),
  ];
  return [
    ...(text.includes('datetime.') ? ['import datetime', ''] : []),
    `from ${module} import ${imported.join(', ')}`,
    '',
    `client = Client(${clientArguments(model, example?.operation)})`,
    'try:',
    example?.operation.result.kind === 'none' ? `    ${text}` : `    print(${text})`,
    'except ApiError as error:',
    '    print(error.status, error.text)',
  ];
}

function clientArguments(model: SdkModel, operation: SdkOperation | undefined): string {
  const credentials = {
    bearer: 'bearer_token="..."',
    apiKey: 'api_key="..."',
    basic: 'basic_auth=("name", "password")',
  };
  return [
    ...(model.baseUrl === undefined ? ['"https://api.example.com"'] : []),
    ...credentialsForExample(model, operation).map((kind) => credentials[kind]),
  ].join(', ');
}

function argumentsOf({ parameters, body }: SdkOperation, types: PythonTypes): readonly string[] | undefined {
  const wanted = parameters.filter(({ isRequired }) => isRequired).map(({ type }) => type);
  return allOf([...wanted, ...(body?.isRequired === true ? [body.type] : [])].map((type) => sampleOf(type, types, 0)));
}

function sampleOf(type: TypeRef, types: PythonTypes, depth: number): string | undefined {
  switch (type.kind) {
    case 'nullable':
    case 'any':
      return 'None';
    case 'list': {
      const item = sampleOf(type.items, types, depth);
      return item === undefined ? undefined : `[${item}]`;
    }
    case 'map':
      return '{}';
    case 'named':
      return depth < depthMax ? namedSample(type.id, types, depth + 1) : undefined;
    default:
      return samples[type.kind];
  }
}

const samples = {
  string: '"text"',
  number: '1.5',
  boolean: 'True',
  integer: '1',
  date: 'datetime.date(2024, 1, 31)',
  dateTime: 'datetime.datetime(2024, 1, 31, tzinfo=datetime.timezone.utc)',
  bytes: 'b"data"',
  binary: 'b"data"',
} as const;

function namedSample(id: string, types: PythonTypes, depth: number): string | undefined {
  const found = types.get(id);
  if (found?.type.kind === 'enum') {
    const [first] = found.type.values;
    return first === undefined ? undefined : `models.${found.name}.${enumMemberNames().take(first.words)}`;
  }
  if (found?.type.kind === 'union') {
    return found.type.variants.map(({ type }) => sampleOf(type, types, depth)).find((sample) => sample !== undefined);
  }
  return found === undefined ? undefined : objectSample(found.type, found.name, types, depth);
}

function objectSample(type: SdkObject, name: string, types: PythonTypes, depth: number): string | undefined {
  const fields = allOf(
    requiredFields(type).map((field) => {
      const isFile = field.property.part?.kind === 'file';
      const value = isFile ? 'FilePart(b"data", "file.bin")' : sampleOf(field.type, types, depth);
      const given = isFile && field.type.kind === 'list' ? `[${value}]` : value;
      return given === undefined ? undefined : `${field.name}=${given}`;
    }),
  );
  return fields === undefined ? undefined : `models.${name}(${fields.join(', ')})`;
}

function allOf(items: readonly (string | undefined)[]): readonly string[] | undefined {
  const found = items.filter((item) => item !== undefined);
  return found.length === items.length ? found : undefined;
}
