import type { SdkBody, SdkOperation, SdkParameter } from '../../model/operations.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext, JavaGroup, JavaOperation } from './java-context.ts';
import { JavaFile } from './java-file.ts';
import { variableNames } from './java-names.ts';
import { javadoc, javadocLine, javaString } from './java-text.ts';
import { readerOf, requiredTypeOf, styleOf, typeOf, written } from './java-types.ts';

/** What a method takes. */
export interface JavaArgument {
  readonly name: string;
  readonly isRequired: boolean;
  /** Nothing for the body. */
  readonly parameter: SdkParameter | undefined;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
}

/** Required ones first, the body after the required parameters. */
export function argumentsOf(operation: SdkOperation): readonly JavaArgument[] {
  const names = variableNames(['body', 'options', 'request', 'transport']);
  const parameters = operation.parameters.map((parameter) => ({
    name: names.take(parameter.words),
    isRequired: parameter.isRequired,
    parameter,
    description: parameter.description,
    isDeprecated: parameter.isDeprecated,
  }));
  const { body } = operation;
  return [
    ...parameters.filter(({ isRequired }) => isRequired),
    ...(body === undefined
      ? []
      : [
          {
            name: 'body',
            isRequired: body.isRequired,
            parameter: undefined,
            description: body.description,
            isDeprecated: false,
          },
        ]),
    ...parameters.filter(({ isRequired }) => !isRequired),
  ];
}

export function argumentType(file: JavaFile, operation: SdkOperation, { parameter, isRequired }: JavaArgument): string {
  if (parameter !== undefined) return isRequired ? requiredTypeOf(file, parameter.type) : typeOf(file, parameter.type);
  const { body } = operation;
  if (body === undefined) return '';
  if (body.kind === 'binary') return file.use('java.net.http.HttpRequest.BodyPublisher');
  return body.isRequired ? requiredTypeOf(file, body.type) : typeOf(file, body.type);
}

export function groupFile(context: JavaContext, group: JavaGroup): SdkFile {
  const file = new JavaFile(context, 'api', group.className);
  const transport = file.useOwn('internal', 'Transport');
  return file.finish(
    javadoc({
      texts: [group.tag === undefined ? 'Operations.' : `Operations of ${group.tag}.`],
      notes: ['Safe for use by several threads.'],
    }),
    context.hasDeprecated && '@SuppressWarnings("deprecation")',
    `public final class ${group.className} {`,
    indented(
      [
        `private final ${transport} transport;`,
        '',
        '/** Made by the client. */',
        `public ${group.className}(${transport} transport) {`,
        '    this.transport = transport;',
        '}',
        group.operations.map((operation) => method(file, operation)),
      ],
      '    ',
    ),
    '}',
  );
}

function method(file: JavaFile, { operation, method: name, optionsClass }: JavaOperation): Lines {
  const all = argumentsOf(operation);
  const required = all.filter(({ isRequired }) => isRequired);
  const hasOptions = required.length < all.length;
  const result = resultOf(file, operation);
  const signature = required.map((argument) => `${argumentType(file, operation, argument)} ${argument.name}`);
  const give = operation.result.kind === 'none' ? '' : 'return ';
  return [
    hasOptions && [
      '',
      documentation(file, operation, required, false),
      operation.isDeprecated && '@Deprecated',
      `public ${result.type} ${name}(${signature.join(', ')}) {`,
      `    ${give}${name}(${[...required.map((argument) => argument.name), `new ${optionsClass}()`].join(', ')});`,
      '}',
    ],
    '',
    documentation(file, operation, required, hasOptions),
    operation.isDeprecated && '@Deprecated',
    `public ${result.type} ${name}(${[...signature, ...(hasOptions ? [`${optionsClass} options`] : [])].join(', ')}) {`,
    indented(statements(file, operation, all, result), '    '),
    '}',
  ];
}

function documentation(
  file: JavaFile,
  operation: SdkOperation,
  required: readonly JavaArgument[],
  hasOptions: boolean,
): Lines {
  const { summary, description, errors, result } = operation;
  const known = errors
    .map((error) => `${javadocLine(error.status)} ${javadocLine(error.description)}`.trim())
    .join('; ');
  return javadoc({
    texts: [summary, description === summary ? undefined : description],
    notes: [`<code>${javadocLine(operation.method)} ${javadocLine(operation.pathTemplate)}</code>`],
    tags: [
      ...required.map(({ name, description: text }) => `@param ${name} ${javadocLine(text) || name}`),
      ...(hasOptions ? ['@param options what can be left out'] : []),
      ...(result.kind === 'none' ? [] : [`@return the answer${result.mayBeEmpty ? ', where it has a body' : ''}`]),
      `@throws ${file.useOwn('', 'ApiException')} when the status is not 200 to 299${known === '' ? '' : `: ${known}`}`,
      ...(operation.isDeprecated ? ['@deprecated as the description says'] : []),
    ],
  });
}

interface JavaResult {
  readonly type: string;
  /** A method of the transport. */
  readonly send: string;
  /** Its second argument. */
  readonly read: string | undefined;
}

function resultOf(file: JavaFile, { result }: SdkOperation): JavaResult {
  if (result.kind === 'none' || result.type === undefined) return { type: 'void', send: 'none', read: undefined };
  const isNullable = result.mayBeEmpty || result.type.kind === 'nullable';
  const inner = result.type.kind === 'nullable' ? result.type.type : result.type;
  const optional = (type: string): string => (isNullable ? `${file.use('java.util.Optional')}<${type}>` : type);
  const send = (method: string): string =>
    isNullable ? `optional${method.charAt(0).toUpperCase()}${method.slice(1)}` : method;
  if (result.kind === 'json') {
    const type = isNullable ? optional(typeOf(file, inner)) : requiredTypeOf(file, inner);
    return { type, send: send('json'), read: readerOf(file, inner) };
  }
  return result.kind === 'text'
    ? { type: optional('String'), send: send('text'), read: undefined }
    : { type: optional('byte[]'), send: send('binary'), read: undefined };
}

function statements(
  file: JavaFile,
  operation: SdkOperation,
  all: readonly JavaArgument[],
  { send, read }: JavaResult,
): Lines {
  const request = file.useOwn('internal', 'ApiRequest');
  const required = all.filter((argument) => mustBeChecked(file, operation, argument));
  const objects = required.length > 0 ? file.use('java.util.Objects') : '';
  const byName = new Map(all.map((argument) => [argument.parameter, argument]));
  const calls = [
    ...pathCalls(file, operation, all),
    ...operation.parameters
      .filter(({ place }) => place !== 'path')
      .map((parameter) => parameterCall(file, parameter, byName.get(parameter))),
    ...bodyCalls(file, operation.body),
    ...(operation.result.mediaType === undefined ? [] : [`.accept(${javaString(operation.result.mediaType)})`]),
    ...securityCalls(file, operation),
  ];
  const last = calls.length - 1;
  return [
    required.map(({ name }) => `${objects}.requireNonNull(${name}, ${javaString(name)});`),
    `${request} request = new ${request}(${javaString(operation.method)}, ${javaString(operation.pathTemplate)})`,
    indented(
      calls.map((call, index) => (index === last ? `${call};` : call)),
      '        ',
    ),
    `${operation.result.kind === 'none' ? '' : 'return '}transport.${send}(request${read === undefined ? '' : `, ${read}`});`,
  ];
}

/** What must not be null, but could be. */
function mustBeChecked(file: JavaFile, operation: SdkOperation, argument: JavaArgument): boolean {
  const type = argument.parameter?.type ?? operation.body?.type;
  const isPrimitive = /^(?:int|long|double|boolean)$/.test(argumentType(file, operation, argument));
  return argument.isRequired && type?.kind !== 'nullable' && !isPrimitive;
}

/** What `java.net.URI` does not take, though others do. */
const notInUris = /[[\]^`{|}"<>\\ ]/g;

function pathCalls(file: JavaFile, operation: SdkOperation, all: readonly JavaArgument[]): readonly string[] {
  return operation.path.map((part) => {
    if (part.kind === 'literal') return `.path(${javaString(part.text.replace(notInUris, encodeURIComponent))})`;
    const argument = all.find(({ parameter }) => parameter?.place === 'path' && parameter.wireName === part.wireName);
    if (argument?.parameter === undefined) return `.path(${javaString(encodeURIComponent(`{${part.wireName}}`))})`;
    const { type, style } = argument.parameter;
    const value = written(file, type, valueOf(argument), !argument.isRequired);
    return `.pathParameter(${javaString(part.wireName)}, ${value}, ${styleOf(file, style)}, ${String(part.isGreedy)})`;
  });
}

function parameterCall(file: JavaFile, parameter: SdkParameter, argument: JavaArgument | undefined): string {
  if (argument === undefined) return '';
  const value = written(file, parameter.type, valueOf(argument), !argument.isRequired);
  const explode = parameter.place === 'header' ? '' : `, ${String(parameter.isExploded)}`;
  return `.${parameter.place}(${javaString(parameter.wireName)}, ${value}, ${styleOf(file, parameter.style)}${explode})`;
}

function bodyCalls(file: JavaFile, body: SdkBody | undefined): readonly string[] {
  if (body === undefined) return [];
  // A range of media types can be asked for, but not sent.
  const mediaType = javaString(body.mediaType.includes('*') ? 'application/octet-stream' : body.mediaType);
  const value = body.isRequired ? 'body' : 'options.body';
  const unlessNull = (expression: string): string =>
    body.isRequired ? expression : `${value} == null ? null : ${expression}`;
  switch (body.kind) {
    case 'json':
      return [`.jsonBody(${mediaType}, ${unlessNull(written(file, body.type, value, false))})`];
    case 'multipart':
    case 'form':
      return [`.${body.kind}Body(${mediaType}, ${unlessNull(`${value}.toForm()`)})`];
    case 'text':
    case 'binary':
      return [`.${body.kind}Body(${mediaType}, ${value})`];
  }
}

function securityCalls(file: JavaFile, { security }: SdkOperation): readonly string[] {
  return security.map((keys) => {
    const constants = keys.map((key) => `${file.useOwn('internal', 'Scheme')}.${file.context.schemes.get(key) ?? ''}`);
    return `.allow(${constants.join(', ')})`;
  });
}

function valueOf({ name, isRequired }: JavaArgument): string {
  return isRequired ? name : `options.${name}`;
}
