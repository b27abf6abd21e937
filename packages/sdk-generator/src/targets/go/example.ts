import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkBody, SdkOperation } from '../../model/operations.ts';
import {
  allKnown,
  firstKnown,
  samplesOf,
  type SampleOf,
  type SampleWords,
  type ScalarRef,
} from '../../model/sample-values.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { fieldNames, type GoNames } from './names.ts';
import { fieldsOf } from './objects.ts';
import { GoTypes } from './types.ts';

/** A program that makes one call. */
export function exampleProgram(
  model: SdkModel,
  names: GoNames,
  modulePath: string,
  packageName: string,
): readonly string[] {
  const types = new Map([...names.types].map(([id, { type }]) => [id, type]));
  const sampleOf = samplesOf(types, wordsOf(names, packageName));
  const example = firstExample(model, (operation, index) => {
    const values = argumentsOf(operation, sampleOf);
    return values && `client.${names.methods[index] ?? ''}(${['context.Background()', ...values].join(', ')})`;
  });
  const text = example?.call ?? '';
  const isNone = example?.operation.result.kind === 'none';
  const standard = [
    ...(text === '' ? [] : ['context']),
    ...(example === undefined ? [] : ['errors']),
    'fmt',
    ...(text.includes('strings.') ? ['strings'] : []),
    ...(text.includes('time.') ? ['time'] : []),
  ];
  return [
    'package main',
    '',
    'import (',
    ...standard.map((path) => `\t"${path}"`),
    '',
    `\t${packageName} "${modulePath}"`,
    ')',
    '',
    'func main() {',
    `\tclient, err := ${packageName}.NewClient(${packageName}.Options{${optionsOf(model, example?.operation)}})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...(example === undefined
      ? ['\tfmt.Println(client != nil)']
      : [
          `\t${isNone ? '' : 'result, '}err ${isNone ? '=' : ':='} ${text}`,
          `\tvar apiError *${packageName}.APIError`,
          '\tif errors.As(err, &apiError) {',
          '\t\tfmt.Println(apiError.StatusCode, string(apiError.Body))',
          '\t} else {',
          `\t\tfmt.Println(${isNone ? '' : 'result, '}err)`,
          '\t}',
        ]),
    '}',
  ];
}

function optionsOf(model: SdkModel, operation: SdkOperation | undefined): string {
  const credentials = {
    bearer: 'BearerToken: "..."',
    apiKey: 'APIKey: "..."',
    basic: 'Username: "name", Password: "password"',
  };
  return [
    ...(model.baseUrl === undefined ? ['BaseURL: "https://api.example.com"'] : []),
    ...credentialsForExample(model, operation).map((kind) => credentials[kind]),
  ].join(', ');
}

/** The values of a call, in the order of the method's arguments. */
function argumentsOf({ parameters, body }: SdkOperation, sampleOf: SampleOf): readonly string[] | undefined {
  const required = allKnown(
    parameters.filter(({ isRequired }) => isRequired).map(({ type }) => type),
    sampleOf,
  );
  const hasOptional = parameters.some(({ isRequired }) => !isRequired);
  const sent = body && bodyOf(body, sampleOf);
  if (required === undefined || (body !== undefined && sent === undefined)) return undefined;
  return [...required, ...(sent === undefined ? [] : [sent]), ...(hasOptional ? ['nil'] : [])];
}

function bodyOf({ kind, type, isRequired }: SdkBody, sampleOf: SampleOf): string | undefined {
  if (!isRequired) return 'nil';
  return kind === 'binary' ? 'strings.NewReader("data")' : sampleOf(type);
}

function wordsOf(names: GoNames, packageName: string): SampleWords {
  const types = new GoTypes(names);
  const scalars = scalarsOf(packageName);
  const qualified = (type: TypeRef): string => {
    switch (type.kind) {
      case 'list':
        return `[]${qualified(type.items)}`;
      case 'map':
        return `map[string]${qualified(type.values)}`;
      case 'nullable':
        return types.isNilable(type.type) ? qualified(type.type) : `*${qualified(type.type)}`;
      case 'named':
      case 'date':
        return `${packageName}.${types.of(type)}`;
      default:
        return types.of(type);
    }
  };
  const named = (id: string, fields: readonly string[]): string =>
    `${packageName}.${names.types.get(id)?.name ?? ''}{${fields.join(', ')}}`;
  /** Numbers without a type of their own would become `int`. */
  const typed = (type: TypeRef, value: string): string =>
    type.kind === 'integer' || type.kind === 'number' ? `${types.of(type)}(${value})` : value;
  return {
    scalar: ({ kind }) => scalars[kind],
    list: (items) => `${qualified({ kind: 'list', items })}{}`,
    map: (values) => `${qualified({ kind: 'map', values })}{}`,
    null: scalars.any,
    enum: ({ id }) => {
      const [first] = names.values.get(id) ?? [];
      return first && `${packageName}.${first}`;
    },
    object: (type, sampleOf) => {
      const required = fieldsOf(type, types, type.isForm ? [] : ['MarshalJSON', 'UnmarshalJSON']).fields.filter(
        ({ presence }) => presence === 'required',
      );
      const fields = allKnown(required, ({ name, isPointer, property }) => {
        if (isPointer) return undefined;
        const file = `${packageName}.FilePart{Content: strings.NewReader("data")}`;
        const isList = property.type.kind === 'list';
        const files = isList ? `[]${packageName}.FilePart{${file}}` : file;
        const value = property.part?.kind === 'file' ? files : sampleOf(property.type);
        return value && `${name}: ${value}`;
      });
      return fields && named(type.id, fields);
    },
    union: ({ id, variants }, sampleOf) => {
      const fields = fieldNames(['MarshalJSON', 'UnmarshalJSON']);
      const choices = variants.map(({ words, type }) => ({ field: fields.take(words), type }));
      const choice = firstKnown(choices, ({ field, type }) => {
        const value = sampleOf(type);
        return value && `${field}: ${packageName}.Ptr(${typed(type, value)})`;
      });
      return choice && named(id, [choice]);
    },
  };
}

function scalarsOf(packageName: string): Readonly<Record<ScalarRef['kind'], string>> {
  return {
    any: 'nil',
    string: '"text"',
    number: '1.5',
    boolean: 'true',
    integer: '1',
    date: `${packageName}.DateOf(time.Now())`,
    dateTime: 'time.Now()',
    bytes: '[]byte("data")',
    binary: '[]byte("data")',
  };
}
