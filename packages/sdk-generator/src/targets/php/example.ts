import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { clientMethodNames } from './client.ts';
import { fieldsOf } from './model-classes.ts';
import { caseNames, type PhpTypes } from './names.ts';
import { valueLiteral } from './types.ts';

/** Types inside of types that an example writes out. */
const depthMax = 4;

/** A program that makes one call. */
export function exampleProgram(model: SdkModel, types: PhpTypes, namespace: string): readonly string[] {
  const names = clientMethodNames(model);
  const example = firstExample(model, (operation, index) => {
    const values = argumentsOf(operation, types);
    return values === undefined ? undefined : `$client->${names[index] ?? ''}(${values.join(', ')})`;
  });
  const used = [
    ['Client', 'new Client'],
    ['Exception\\ApiException', 'ApiException'],
    ['FilePart', 'new FilePart'],
    ['Model', 'Model\\'],
  ] as const;
  const code = [
    `$client = new Client(${clientArguments(model, example?.operation)});`,
    'try {',
    example === undefined
      ? '    var_dump($client);'
      : example.operation.result.kind === 'none'
        ? `    ${example.call};`
        : `    var_dump(${example.call});`,
    '} catch (ApiException $exception) {',
    '    echo $exception->status, \' \', $exception->body, "\\n";',
    '}',
  ];
  return [
    '<?php',
    '',
    "require 'vendor/autoload.php';",
    '',
    ...used.filter(([, mark]) => code.join('\n').includes(mark)).map(([name]) => `use ${namespace}\\${name};`),
    '',
    ...code,
  ];
}

function clientArguments(model: SdkModel, operation: SdkOperation | undefined): string {
  const credentials = {
    bearer: "bearerToken: '...'",
    apiKey: "apiKey: '...'",
    basic: "basicAuth: ['name', 'password']",
  };
  return [
    ...(model.baseUrl === undefined ? ["baseUrl: 'https://api.example.com'"] : []),
    ...credentialsForExample(model, operation).map((kind) => credentials[kind]),
  ].join(', ');
}

function argumentsOf({ parameters, body }: SdkOperation, types: PhpTypes): readonly string[] | undefined {
  const wanted = parameters.filter(({ isRequired }) => isRequired).map(({ type }) => type);
  return allOf([...wanted, ...(body?.isRequired === true ? [body.type] : [])].map((type) => sampleOf(type, types, 0)));
}

const samples = {
  string: "'text'",
  number: '1.5',
  boolean: 'true',
  integer: '1',
  date: "new DateTimeImmutable('2024-01-31')",
  dateTime: "new DateTimeImmutable('2024-01-31T12:00:00Z')",
  bytes: "'data'",
  binary: "'data'",
  any: 'null',
  nullable: 'null',
  map: '[]',
} as const;

function sampleOf(type: TypeRef, types: PhpTypes, depth: number): string | undefined {
  if (type.kind === 'list') {
    const item = sampleOf(type.items, types, depth);
    return item === undefined ? undefined : `[${item}]`;
  }
  if (type.kind !== 'named') return samples[type.kind];
  return depth < depthMax ? namedSample(type.id, types, depth + 1) : undefined;
}

function namedSample(id: string, types: PhpTypes, depth: number): string | undefined {
  const found = types.get(id);
  if (found === undefined) return undefined;
  const { type, name } = found;
  if (type.kind === 'enum') {
    const [first] = type.values;
    if (first === undefined) return undefined;
    return type.base === 'number'
      ? valueLiteral(first.value, type.base)
      : `Model\\${name}::${caseNames().take(first.words)}`;
  }
  if (type.kind === 'union') {
    for (const variant of type.variants) {
      const sample = sampleOf(variant.type, types, depth);
      if (sample !== undefined) return sample;
    }
    return undefined;
  }
  const fields = allOf(
    fieldsOf(type)
      .fields.filter(({ presence }) => presence === 'required')
      .map(({ name: field, property }) => {
        const isFile = property.part?.kind === 'file';
        const value = isFile ? "new FilePart('data')" : sampleOf(property.type, types, depth);
        const given = isFile && property.type.kind === 'list' ? `[${value}]` : value;
        return given === undefined ? undefined : `${field}: ${given}`;
      }),
  );
  return fields === undefined ? undefined : `new Model\\${name}(${fields.join(', ')})`;
}

function allOf(items: readonly (string | undefined)[]): readonly string[] | undefined {
  const found = items.filter((item) => item !== undefined);
  return found.length === items.length ? found : undefined;
}
