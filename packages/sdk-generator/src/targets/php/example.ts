import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkOperation } from '../../model/operations.ts';
import { allKnown, samplesOf, type SampleOf, type SampleWords } from '../../model/sample-values.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { clientMethodNames } from './client.ts';
import { fieldsOf } from './model-classes.ts';
import { caseNames, type PhpTypes } from './names.ts';
import { valueLiteral } from './types.ts';

/** A program that makes one call. */
export function exampleProgram(model: SdkModel, types: PhpTypes, namespace: string): readonly string[] {
  const names = clientMethodNames(model);
  const sampleOf = samplesOf(new Map(model.types.map((type) => [type.id, type])), wordsOf(types));
  const example = firstExample(model, (operation, index) => {
    const values = argumentsOf(operation, sampleOf);
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

function argumentsOf({ parameters, body }: SdkOperation, sampleOf: SampleOf): readonly string[] | undefined {
  const wanted = parameters.filter(({ isRequired }) => isRequired).map(({ type }) => type);
  return allKnown([...wanted, ...(body?.isRequired === true ? [body.type] : [])], sampleOf);
}

const scalars = {
  any: 'null',
  string: "'text'",
  number: '1.5',
  boolean: 'true',
  integer: '1',
  date: "new DateTimeImmutable('2024-01-31')",
  dateTime: "new DateTimeImmutable('2024-01-31T12:00:00Z')",
  bytes: "'data'",
  binary: "'data'",
} as const;

function wordsOf(types: PhpTypes): SampleWords {
  const nameOf = (id: string): string => types.get(id)?.name ?? '';
  return {
    scalar: ({ kind }) => scalars[kind],
    list: (_, item) => item && `[${item}]`,
    map: () => '[]',
    null: scalars.any,
    enum: ({ id, base, values: [first] }) => {
      if (first === undefined) return undefined;
      if (base === 'number') return valueLiteral(first.value, base);
      return `Model\\${nameOf(id)}::${caseNames().take(first.words)}`;
    },
    object: (type, sampleOf) => {
      const required = fieldsOf(type).fields.filter(({ presence }) => presence === 'required');
      const fields = allKnown(required, ({ name, property }) => {
        const isFile = property.part?.kind === 'file';
        const value = isFile ? "new FilePart('data')" : sampleOf(property.type);
        const given = isFile && property.type.kind === 'list' ? `[${value}]` : value;
        return given && `${name}: ${given}`;
      });
      return fields && `new Model\\${nameOf(type.id)}(${fields.join(', ')})`;
    },
  };
}
