import type { SdkObject } from '../../model/named-types.ts';
import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkOperation } from '../../model/operations.ts';
import { allKnown, firstKnown, samplesOf, type SampleOf, type SampleWords } from '../../model/sample-values.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { OperationNames, TsNames } from './ts-names.ts';
import { literal } from './ts-text.ts';
import { tagField } from './ts-types.ts';

/** The lines of an example that compiles: a client, and a call of the operation that wants least. */
export function exampleLines(model: SdkModel, names: TsNames, packageName: string): readonly string[] {
  const sampleOf = samplesOf(names.types, wordsOf(names));
  const example = firstExample(model, (_, index) => {
    const found = names.operations[index];
    const argument = found && argumentText(found, sampleOf);
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
function argumentText({ operation, parameters }: OperationNames, sampleOf: SampleOf): string | undefined {
  const { body } = operation;
  const needed = operation.parameters
    .map(({ isRequired, type }, index) => ({ name: parameters[index] ?? '', isRequired, type }))
    .filter(({ isRequired }) => isRequired);
  const values = allKnown(needed, ({ name, type }) => field(name, sampleOf(type)));
  if (body?.isRequired !== true) return values && (values.length === 0 ? '' : braced(values));
  const sent = field('body', body.kind === 'binary' ? scalars.bytes : sampleOf(body.type));
  return values && sent && braced([...values, sent]);
}

const scalars = {
  any: "'anything'",
  string: "'text'",
  number: '1',
  boolean: 'true',
  integer: '1',
  date: "'2024-01-31'",
  dateTime: "new Date('2024-01-31T12:00:00Z')",
  bytes: 'new Uint8Array([1, 2, 3])',
  binary: "{ content: new Blob(['content']), fileName: 'file.txt' }",
} as const;

function wordsOf(names: TsNames): SampleWords {
  return {
    scalar: ({ kind }) => scalars[kind],
    list: (_, item) => `[${item ?? ''}]`,
    map: (_, value) => (value === undefined ? '{}' : braced([`key: ${value}`])),
    null: 'null',
    enum: ({ values: [first] }) => (typeof first?.value === 'string' ? literal(first.value) : first?.value.toString()),
    object: (type, sampleOf) => objectText(names, type, sampleOf),
    union: (union, sampleOf) =>
      firstKnown(union.variants, (variant) => {
        const object = variant.type.kind === 'named' ? names.types.get(variant.type.id) : undefined;
        const [tag] = variant.tags;
        const tagged = tag === undefined ? undefined : tagField(names, union, variant);
        if (object?.kind !== 'object' || tagged === undefined || tag === undefined) return sampleOf(variant.type);
        return objectText(names, object, sampleOf, { name: tagged.name, value: literal(tag) });
      }),
  };
}

/** @param tag a field that tells which one of a union it is */
function objectText(
  names: TsNames,
  type: SdkObject,
  sampleOf: SampleOf,
  tag?: { readonly name: string; readonly value: string },
): string | undefined {
  const fields = names.fieldsOf(type);
  const needed = type.properties
    .map((property, index) => ({ ...property, name: fields[index] ?? '' }))
    .filter(({ name, isRequired }) => isRequired || name === tag?.name);
  const texts = allKnown(needed, (one) => field(one.name, one.name === tag?.name ? tag.value : sampleOf(one.type)));
  return texts && (texts.length === 0 ? '{}' : braced(texts));
}

function field(name: string, value: string | undefined): string | undefined {
  return value && `${name}: ${value}`;
}

function braced(texts: readonly string[]): string {
  return `{ ${texts.join(', ')} }`;
}
