import { firstExample, type ExampleCall } from '../../model/example-operation.ts';
import type { SdkObject } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { CsharpContext, CsharpGroup, CsharpOperation } from './csharp-context.ts';
import { fieldsOf } from './csharp-objects.ts';
import { argumentsOf } from './csharp-operations.ts';
import { csharpString } from './csharp-text.ts';
import { CsharpTypes } from './csharp-types.ts';

/** Objects in objects of an example. */
const depthMax = 4;

/** A call of an operation whose arguments an example can make up. */
export function exampleOf(context: CsharpContext): ExampleCall<string> | undefined {
  const all = new Map(
    context.groups.flatMap((group) => group.operations.map((one) => [one.operation, { group, one }] as const)),
  );
  return firstExample(context.model, (operation) => {
    const found = all.get(operation);
    return found && exampleCall(context, found.group, found.one);
  });
}

function exampleCall(
  context: CsharpContext,
  { accessor }: CsharpGroup,
  { operation, method }: CsharpOperation,
): string | undefined {
  const values = argumentsOf(operation)
    .filter(({ isRequired }) => isRequired)
    .map(({ parameter }) => {
      if (parameter !== undefined) return sample(context, parameter.type, 0);
      if (operation.body?.kind === 'binary') return 'new System.IO.MemoryStream(new byte[] { 1, 2, 3 })';
      return operation.body === undefined ? undefined : sample(context, operation.body.type, 0);
    });
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return `client.${accessor}.${method}(${known.join(', ')})`;
}

/** An expression for some value of a type. */
function sample(context: CsharpContext, type: TypeRef, depth: number): string | undefined {
  const types = new CsharpTypes(context, 'Models');
  switch (type.kind) {
    case 'string':
      return '"text"';
    case 'number':
      return '1.5';
    case 'boolean':
      return 'true';
    case 'integer':
      return '1';
    case 'date':
      return 'new DateTime(2030, 1, 31)';
    case 'dateTime':
      return 'DateTimeOffset.UtcNow';
    case 'bytes':
      return 'new byte[] { 1, 2, 3 }';
    case 'binary':
      return 'new FilePart("file.txt", new byte[] { 1, 2, 3 })';
    case 'any':
      return 'new Newtonsoft.Json.Linq.JValue("text")';
    case 'list': {
      const item = sample(context, type.items, depth);
      return item === undefined ? undefined : `new ${qualified(types, context, type.items)}[] { ${item} }`;
    }
    case 'map': {
      const value = sample(context, type.values, depth);
      return value === undefined
        ? undefined
        : `new System.Collections.Generic.Dictionary<string, ${qualified(types, context, type.values)}> { ["key"] = ${value} }`;
    }
    case 'nullable':
      return sample(context, type.type, depth);
    case 'named':
      return depth >= depthMax ? undefined : sampleOfNamed(context, type.id, depth + 1);
  }
}

/** A type as a program outside of the library writes it. Lists of lists are rare in examples, and spelled out. */
function qualified(types: CsharpTypes, context: CsharpContext, type: TypeRef): string {
  if (type.kind === 'named') return `${context.namespaceName}.Models.${types.typeOf(type)}`;
  return types
    .typeOf(type)
    .replace(/\bIReadOnly(List|Dictionary)</g, 'System.Collections.Generic.IReadOnly$1<')
    .replace(/\bJToken\b/g, 'Newtonsoft.Json.Linq.JToken');
}

function sampleOfNamed(context: CsharpContext, id: string, depth: number): string | undefined {
  const type = context.types.get(id);
  const className = `${context.namespaceName}.Models.${context.names.get(id)?.type ?? ''}`;
  if (type === undefined) return undefined;
  if (type.kind === 'union') {
    const object = type.variants.find(({ type }) => type.kind === 'named');
    return object === undefined ? undefined : sample(context, object.type, depth);
  }
  if (type.kind === 'object') return sampleOfObject(context, type, className, depth);
  const [first] = type.values;
  if (first === undefined) return undefined;
  return `${className}.Of(${type.base === 'string' ? csharpString(String(first.value)) : String(first.value)})`;
}

function sampleOfObject(
  context: CsharpContext,
  object: SdkObject,
  className: string,
  depth: number,
): string | undefined {
  const values: string[] = [];
  for (const { property, name } of fieldsOf(context, object).fields) {
    if (!property.isRequired || property.type.kind === 'nullable') continue;
    const value = sample(context, property.type, depth);
    if (value === undefined) return undefined;
    values.push(`${name} = ${value}`);
  }
  return values.length === 0 ? `new ${className}()` : `new ${className} { ${values.join(', ')} }`;
}
