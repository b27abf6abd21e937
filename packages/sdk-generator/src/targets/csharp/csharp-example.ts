import { firstExample, type ExampleCall } from '../../model/example-operation.ts';
import { allKnown, firstKnown, samplesOf, type SampleOf, type SampleWords } from '../../model/sample-values.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { CsharpContext, CsharpGroup, CsharpOperation } from './csharp-context.ts';
import { fieldsOf } from './csharp-objects.ts';
import { argumentsOf } from './csharp-operations.ts';
import { csharpString } from './csharp-text.ts';
import { CsharpTypes } from './csharp-types.ts';

/** A call of an operation whose arguments an example can make up. */
export function exampleOf(context: CsharpContext): ExampleCall<string> | undefined {
  const all = new Map(
    context.groups.flatMap((group) => group.operations.map((one) => [one.operation, { group, one }] as const)),
  );
  const sampleOf = samplesOf(context.types, wordsOf(context));
  return firstExample(context.model, (operation) => {
    const found = all.get(operation);
    return found && exampleCall(found.group, found.one, sampleOf);
  });
}

function exampleCall(
  { accessor }: CsharpGroup,
  { operation, method }: CsharpOperation,
  sampleOf: SampleOf,
): string | undefined {
  const required = argumentsOf(operation).filter(({ isRequired }) => isRequired);
  const values = allKnown(required, ({ parameter }) => {
    if (parameter !== undefined) return sampleOf(parameter.type);
    if (operation.body?.kind === 'binary') return 'new System.IO.MemoryStream(new byte[] { 1, 2, 3 })';
    return operation.body && sampleOf(operation.body.type);
  });
  return values && `client.${accessor}.${method}(${values.join(', ')})`;
}

const scalars = {
  any: 'new Newtonsoft.Json.Linq.JValue("text")',
  string: '"text"',
  number: '1.5',
  boolean: 'true',
  integer: '1',
  date: 'new DateTime(2030, 1, 31)',
  dateTime: 'DateTimeOffset.UtcNow',
  bytes: 'new byte[] { 1, 2, 3 }',
  binary: 'new FilePart("file.txt", new byte[] { 1, 2, 3 })',
} as const;

function wordsOf(context: CsharpContext): SampleWords {
  const types = new CsharpTypes(context, 'Models');
  const nameOf = (id: string): string => `${context.namespaceName}.Models.${context.names.get(id)?.type ?? ''}`;
  return {
    scalar: ({ kind }) => scalars[kind],
    list: (items, item) => item && `new ${qualified(types, context, items)}[] { ${item} }`,
    map: (values, value) =>
      value &&
      `new System.Collections.Generic.Dictionary<string, ${qualified(types, context, values)}> { ["key"] = ${value} }`,
    enum: ({ id, base, values: [first] }) =>
      first && `${nameOf(id)}.Of(${base === 'string' ? csharpString(String(first.value)) : String(first.value)})`,
    object: (object, sampleOf) => {
      const required = fieldsOf(context, object).fields.filter(({ mayBeNull }) => !mayBeNull);
      const values = allKnown(required, ({ property, name }) => {
        const value = sampleOf(property.type);
        return value && `${name} = ${value}`;
      });
      return values && `new ${nameOf(object.id)}${values.length === 0 ? '()' : ` { ${values.join(', ')} }`}`;
    },
    // What is no class of its own needs a wrapper, which is not shown.
    union: ({ variants }, sampleOf) =>
      firstKnown(
        variants.filter(({ type }) => type.kind === 'named'),
        ({ type }) => sampleOf(type),
      ),
  };
}

/** A type as a program outside of the library writes it. Lists of lists are rare in examples, and spelled out. */
function qualified(types: CsharpTypes, context: CsharpContext, type: TypeRef): string {
  if (type.kind === 'named') return `${context.namespaceName}.Models.${types.typeOf(type)}`;
  return types
    .typeOf(type)
    .replace(/\bIReadOnly(List|Dictionary)</g, 'System.Collections.Generic.IReadOnly$1<')
    .replace(/\bJToken\b/g, 'Newtonsoft.Json.Linq.JToken');
}
