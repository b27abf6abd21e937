import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkOperation } from '../../model/operations.ts';
import { allKnown, samplesOf, type SampleOf, type SampleWords } from '../../model/sample-values.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { methodNames } from './client.ts';
import { requiredFields } from './model-classes.ts';
import { enumMemberNames, type PythonTypes } from './names.ts';

/** A program that makes one call. */
export function exampleCall(model: SdkModel, types: PythonTypes, module: string): readonly string[] {
  const names = methodNames(model);
  const sampleOf = samplesOf(new Map(model.types.map((type) => [type.id, type])), wordsOf(types));
  const example = firstExample(model, (operation, index) => {
    const values = argumentsOf(operation, sampleOf);
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

function argumentsOf({ parameters, body }: SdkOperation, sampleOf: SampleOf): readonly string[] | undefined {
  const wanted = parameters.filter(({ isRequired }) => isRequired).map(({ type }) => type);
  return allKnown([...wanted, ...(body?.isRequired === true ? [body.type] : [])], sampleOf);
}

const scalars = {
  any: 'None',
  string: '"text"',
  number: '1.5',
  boolean: 'True',
  integer: '1',
  date: 'datetime.date(2024, 1, 31)',
  dateTime: 'datetime.datetime(2024, 1, 31, tzinfo=datetime.timezone.utc)',
  bytes: 'b"data"',
  binary: 'b"data"',
} as const;

function wordsOf(types: PythonTypes): SampleWords {
  const nameOf = (id: string): string => types.get(id)?.name ?? '';
  return {
    scalar: ({ kind }) => scalars[kind],
    list: (_, item) => item && `[${item}]`,
    map: () => '{}',
    null: scalars.any,
    enum: ({ id, values: [first] }) => first && `models.${nameOf(id)}.${enumMemberNames().take(first.words)}`,
    object: (type, sampleOf) => {
      const fields = allKnown(requiredFields(type), (field) => {
        const isFile = field.property.part?.kind === 'file';
        const value = isFile ? 'FilePart(b"data", "file.bin")' : sampleOf(field.type);
        const given = isFile && field.type.kind === 'list' ? `[${value}]` : value;
        return given && `${field.name}=${given}`;
      });
      return fields && `models.${nameOf(type.id)}(${fields.join(', ')})`;
    },
  };
}
