import { firstExample, type ExampleCall } from '../../model/example-operation.ts';
import { allKnown, firstKnown, samplesOf, type SampleOf, type SampleWords } from '../../model/sample-values.ts';
import type { JavaContext, JavaGroup, JavaOperation } from './java-context.ts';
import { fieldsOf } from './java-objects.ts';
import { argumentsOf } from './java-operations.ts';
import { javaString } from './java-text.ts';

/** A call, and the classes that it uses. */
export interface JavaCall {
  readonly imports: readonly string[];
  readonly text: string;
}

/** A call of an operation whose arguments an example can make up. */
export function exampleOf(context: JavaContext): ExampleCall<JavaCall> | undefined {
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
  { accessor }: JavaGroup,
  { operation, method }: JavaOperation,
  sampleOf: SampleOf,
): JavaCall | undefined {
  const required = argumentsOf(operation).filter(({ isRequired }) => isRequired);
  const values = allKnown(required, ({ parameter }) => {
    if (parameter !== undefined) return sampleOf(parameter.type);
    if (operation.body?.kind === 'binary') {
      return `${imported('java.net.http.HttpRequest.BodyPublishers')}.ofString("content")`;
    }
    return operation.body && sampleOf(operation.body.type);
  });
  return values && withImports(`client.${accessor}().${method}(${values.join(', ')})`);
}

/** What the program of an example has under these names: models that are called like it are named in full. */
const namesOfExample: ReadonlySet<string> = new Set(['Example', 'System', 'TextNode', 'BodyPublishers']);

/** The name of a class that has to be imported, in marks that no literal has, since literals are ASCII. */
function imported(qualifiedName: string): string {
  return `\u00ab${qualifiedName}\u00bb`;
}

function withImports(marked: string): JavaCall {
  const imports = new Set<string>();
  const text = marked.replace(/\u00ab(.*?)\u00bb/g, (_, name: string) => {
    imports.add(name);
    return name.replace(/.*\./, '');
  });
  return { imports: [...imports].sort(), text };
}

function wordsOf(context: JavaContext): SampleWords {
  const nameOf = (id: string): string => {
    const className = context.classes.get(id) ?? '';
    const qualifiedName = `${context.packageName}.model.${className}`;
    return namesOfExample.has(className) ? qualifiedName : imported(qualifiedName);
  };
  const scalars = {
    any: `${imported('com.fasterxml.jackson.databind.node.TextNode')}.valueOf("text")`,
    string: '"text"',
    number: '1.5',
    boolean: 'true',
    date: `${imported('java.time.LocalDate')}.of(2030, 1, 31)`,
    dateTime: `${imported('java.time.OffsetDateTime')}.parse("2030-01-31T12:00:00Z")`,
    bytes: 'new byte[] {1, 2, 3}',
    binary: `${imported(`${context.packageName}.FilePart`)}.of("file.txt", "content".getBytes())`,
  } as const;
  return {
    scalar: (type) => (type.kind === 'integer' ? (type.bits === 32 ? '1' : '1L') : scalars[type.kind]),
    list: (_, item) => item && `${imported('java.util.List')}.of(${item})`,
    map: (_, value) => value && `${imported('java.util.Map')}.of("key", ${value})`,
    enum: ({ id, base, values: [first] }) => {
      if (first === undefined) return undefined;
      const number = `${String(first.value)}${base === 'integer' ? 'L' : ''}`;
      return `${nameOf(id)}.of(${base === 'string' ? javaString(String(first.value)) : number})`;
    },
    object: (object, sampleOf) => {
      const setters = allKnown(
        fieldsOf(object).fields.filter(({ isAlwaysThere }) => isAlwaysThere),
        ({ property, name }) => {
          const value = sampleOf(property.type);
          return value && `.${name}(${value})`;
        },
      );
      return setters && `${nameOf(object.id)}.builder()${setters.join('')}.build()`;
    },
    // What is no class of its own needs a record, which is not shown.
    union: ({ variants }, sampleOf) =>
      firstKnown(
        variants.filter(({ type }) => type.kind === 'named'),
        ({ type }) => sampleOf(type),
      ),
  };
}
