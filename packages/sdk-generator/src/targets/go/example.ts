import { credentialsForExample, firstExample } from '../../model/example-operation.ts';
import type { SdkOperation } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { fieldNames, type GoNames } from './names.ts';
import { fieldsOf } from './objects.ts';
import { GoTypes } from './types.ts';

/** Types inside of types that an example writes out. */
const depthMax = 4;

/** A program that makes one call. */
export function exampleProgram(
  model: SdkModel,
  names: GoNames,
  modulePath: string,
  packageName: string,
): readonly string[] {
  const writer = new SampleWriter(names, packageName);
  const example = firstExample(model, (operation, index) => {
    const values = writer.argumentsOf(operation);
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

class SampleWriter {
  readonly #names: GoNames;
  readonly #types: GoTypes;
  readonly #package: string;

  constructor(names: GoNames, packageName: string) {
    this.#names = names;
    this.#types = new GoTypes(names);
    this.#package = packageName;
  }

  argumentsOf({ parameters, body }: SdkOperation): readonly string[] | undefined {
    const required = parameters.filter(({ isRequired }) => isRequired).map(({ type }) => this.#sample(type, 0));
    const hasOptional = parameters.some(({ isRequired }) => !isRequired);
    return allOf([
      ...required,
      ...(body === undefined ? [] : [body.isRequired ? this.#body(body.kind, body.type) : 'nil']),
      ...(hasOptional ? ['nil'] : []),
    ]);
  }

  #body(kind: string, type: TypeRef): string | undefined {
    return kind === 'binary' ? 'strings.NewReader("data")' : this.#sample(type, 0);
  }

  #sample(type: TypeRef, depth: number): string | undefined {
    switch (type.kind) {
      case 'nullable':
      case 'any':
        return 'nil';
      case 'list':
      case 'map':
        return `${this.#qualified(type)}{}`;
      case 'named':
        return depth < depthMax ? this.#named(type.id, depth + 1) : undefined;
      default:
        return samples(this.#package)[type.kind];
    }
  }

  #named(id: string, depth: number): string | undefined {
    const found = this.#names.types.get(id);
    if (found === undefined) return undefined;
    const { type, name } = found;
    if (type.kind === 'enum') {
      const [first] = this.#names.values.get(id) ?? [];
      return first === undefined ? undefined : `${this.#package}.${first}`;
    }
    if (type.kind === 'union') {
      const fields = fieldNames(['MarshalJSON', 'UnmarshalJSON']);
      const [choice] = type.variants.flatMap((variant) => {
        const field = fields.take(variant.words);
        const value = this.#sample(variant.type, depth);
        return value === undefined ? [] : [`${field}: ${this.#package}.Ptr(${this.#typed(variant.type, value)})`];
      });
      return choice === undefined ? undefined : `${this.#package}.${name}{${choice}}`;
    }
    const { fields } = fieldsOf(type, this.#types, type.isForm ? [] : ['MarshalJSON', 'UnmarshalJSON']);
    const values = allOf(
      fields
        .filter(({ presence }) => presence === 'required')
        .map((field) => {
          if (field.isPointer) return undefined;
          const file = `${this.#package}.FilePart{Content: strings.NewReader("data")}`;
          const isFile = field.property.part?.kind === 'file';
          const isList = field.property.type.kind === 'list';
          const value = isFile
            ? isList
              ? `[]${this.#package}.FilePart{${file}}`
              : file
            : this.#sample(field.property.type, depth);
          return value === undefined ? undefined : `${field.name}: ${value}`;
        }),
    );
    return values === undefined ? undefined : `${this.#package}.${name}{${values.join(', ')}}`;
  }

  /** Numbers without a type of their own would become `int`. */
  #typed(type: TypeRef, value: string): string {
    return type.kind === 'integer' || type.kind === 'number' ? `${this.#types.of(type)}(${value})` : value;
  }

  #qualified(type: TypeRef): string {
    switch (type.kind) {
      case 'list':
        return `[]${this.#qualified(type.items)}`;
      case 'map':
        return `map[string]${this.#qualified(type.values)}`;
      case 'nullable':
        return this.#types.isNilable(type.type) ? this.#qualified(type.type) : `*${this.#qualified(type.type)}`;
      case 'named':
      case 'date':
        return `${this.#package}.${this.#types.of(type)}`;
      default:
        return this.#types.of(type);
    }
  }
}

function samples(
  packageName: string,
): Readonly<Record<'string' | 'number' | 'boolean' | 'integer' | 'date' | 'dateTime' | 'bytes' | 'binary', string>> {
  return {
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

function allOf(items: readonly (string | undefined)[]): readonly string[] | undefined {
  const found = items.filter((item) => item !== undefined);
  return found.length === items.length ? found : undefined;
}
