import { firstExample, type ExampleCall } from '../../model/example-operation.ts';
import type { SdkObject } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import type { JavaContext, JavaGroup, JavaOperation } from './java-context.ts';
import { fieldsOf } from './java-objects.ts';
import { argumentsOf } from './java-operations.ts';
import { javaString } from './java-text.ts';

/** A call, and the classes that it uses. */
export interface JavaCall {
  readonly imports: readonly string[];
  readonly text: string;
}

/** Objects in objects of an example. */
const depthMax = 4;

/** A call of an operation whose arguments an example can make up. */
export function exampleOf(context: JavaContext): ExampleCall<JavaCall> | undefined {
  const all = new Map(
    context.groups.flatMap((group) => group.operations.map((one) => [one.operation, { group, one }] as const)),
  );
  return firstExample(context.model, (operation) => {
    const found = all.get(operation);
    return found && exampleCall(context, found.group, found.one);
  });
}

function exampleCall(
  context: JavaContext,
  { accessor }: JavaGroup,
  { operation, method }: JavaOperation,
): JavaCall | undefined {
  const imports = new Set<string>();
  const values = argumentsOf(operation)
    .filter(({ isRequired }) => isRequired)
    .map(({ parameter }) => {
      if (parameter !== undefined) return sample(context, parameter.type, imports, 0);
      if (operation.body?.kind === 'binary') {
        imports.add('java.net.http.HttpRequest.BodyPublishers');
        return 'BodyPublishers.ofString("content")';
      }
      return operation.body === undefined ? undefined : sample(context, operation.body.type, imports, 0);
    });
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return {
    imports: [...imports].sort(),
    text: `client.${accessor}().${method}(${known.join(', ')})`,
  };
}

/** An expression for some value of a type. */
function sample(context: JavaContext, type: TypeRef, imports: Set<string>, depth: number): string | undefined {
  const use = (name: string, expression: string): string => {
    imports.add(name);
    return expression;
  };
  switch (type.kind) {
    case 'string':
      return '"text"';
    case 'number':
      return '1.5';
    case 'boolean':
      return 'true';
    case 'integer':
      return type.bits === 32 ? '1' : '1L';
    case 'date':
      return use('java.time.LocalDate', 'LocalDate.of(2030, 1, 31)');
    case 'dateTime':
      return use('java.time.OffsetDateTime', 'OffsetDateTime.parse("2030-01-31T12:00:00Z")');
    case 'bytes':
      return 'new byte[] {1, 2, 3}';
    case 'binary':
      return use(`${context.packageName}.FilePart`, 'FilePart.of("file.txt", "content".getBytes())');
    case 'any':
      return use('com.fasterxml.jackson.databind.node.TextNode', 'TextNode.valueOf("text")');
    case 'list': {
      const item = sample(context, type.items, imports, depth);
      return item === undefined ? undefined : use('java.util.List', `List.of(${item})`);
    }
    case 'map': {
      const value = sample(context, type.values, imports, depth);
      return value === undefined ? undefined : use('java.util.Map', `Map.of("key", ${value})`);
    }
    case 'nullable':
      return sample(context, type.type, imports, depth);
    case 'named':
      return depth >= depthMax ? undefined : sampleOfNamed(context, type.id, imports, depth + 1);
  }
}

function sampleOfNamed(context: JavaContext, id: string, imports: Set<string>, depth: number): string | undefined {
  const type = context.types.get(id);
  const className = context.classes.get(id) ?? '';
  if (type === undefined) return undefined;
  if (type.kind === 'union') {
    const object = type.variants.find(({ type }) => type.kind === 'named');
    return object === undefined ? undefined : sample(context, object.type, imports, depth);
  }
  imports.add(`${context.packageName}.model.${className}`);
  if (type.kind === 'object') return sampleOfObject(context, type, className, imports, depth);
  const [first] = type.values;
  if (first === undefined) return undefined;
  return `${className}.of(${type.base === 'string' ? javaString(String(first.value)) : `${String(first.value)}${type.base === 'integer' ? 'L' : ''}`})`;
}

function sampleOfObject(
  context: JavaContext,
  object: SdkObject,
  className: string,
  imports: Set<string>,
  depth: number,
): string | undefined {
  const setters: string[] = [];
  for (const { property, name, isAlwaysThere } of fieldsOf(object).fields) {
    if (!isAlwaysThere) continue;
    const value = sample(context, property.type, imports, depth);
    if (value === undefined) return undefined;
    setters.push(`.${name}(${value})`);
  }
  return `${className}.builder()${setters.join('')}.build()`;
}
