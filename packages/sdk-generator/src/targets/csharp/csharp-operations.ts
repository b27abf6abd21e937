import type { SdkOperation, SdkParameter } from '../../model/operations.ts';
import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext, CsharpGroup, CsharpOperation } from './csharp-context.ts';
import { sourceFile } from './csharp-file.ts';
import { styleOf } from './csharp-forms.ts';
import { parameterNames } from './csharp-names.ts';
import { csharpString, xmlDocumentation, xmlLine } from './csharp-text.ts';
import { CsharpTypes, isValueType } from './csharp-types.ts';

/** What a method takes. */
export interface CsharpArgument {
  /** With an at sign where the language asks for one. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Nothing for the body. */
  readonly parameter: SdkParameter | undefined;
  readonly description: string | undefined;
}

/** Required ones first, the body after the required parameters. What can be left out follows, with null for its default. */
export function argumentsOf(operation: SdkOperation): readonly CsharpArgument[] {
  const names = parameterNames(['body', 'request', 'cancellationToken']);
  const parameters = operation.parameters.map((parameter) => ({
    name: names.take(parameter.words),
    isRequired: parameter.isRequired,
    parameter,
    description: parameter.description,
  }));
  const { body } = operation;
  return [
    ...parameters.filter(({ isRequired }) => isRequired),
    ...(body === undefined
      ? []
      : [{ name: 'body', isRequired: body.isRequired, parameter: undefined, description: body.description }]),
    ...parameters.filter(({ isRequired }) => !isRequired),
  ];
}

function argumentType(types: CsharpTypes, operation: SdkOperation, { parameter, isRequired }: CsharpArgument): string {
  const type = parameter?.type ?? operation.body?.type;
  if (type === undefined || (parameter === undefined && operation.body?.kind === 'binary')) return 'Stream';
  return isRequired ? types.typeOf(type) : types.nullableTypeOf(type);
}

export function groupFile(context: CsharpContext, group: CsharpGroup): SdkFile {
  const types = new CsharpTypes(context, 'Api');
  const usings = [
    'System',
    'System.Collections.Generic',
    'System.IO',
    'System.Threading',
    'System.Threading.Tasks',
    'Newtonsoft.Json.Linq',
    '.',
    '.Internal',
  ];
  return sourceFile(context, 'Api', group.className, usings, [
    xmlDocumentation({ texts: [group.tag === undefined ? 'Operations.' : `Operations of ${group.tag}.`] }),
    `public sealed class ${group.className}`,
    '{',
    indented(
      [
        'private readonly Transport _transport;',
        '',
        `internal ${group.className}(Transport transport)`,
        '{',
        '    _transport = transport;',
        '}',
        group.operations.map((operation) => ['', method(context, types, operation)]),
      ],
      '    ',
    ),
    '}',
  ]);
}

function method(context: CsharpContext, types: CsharpTypes, { operation, method: name }: CsharpOperation): Lines {
  const all = argumentsOf(operation);
  const result = resultOf(types, operation);
  const signature = [
    ...all.map((argument) => {
      const text = `${argumentType(types, operation, argument)} ${argument.name}`;
      return argument.isRequired ? text : `${text} = null`;
    }),
    'CancellationToken cancellationToken = default(CancellationToken)',
  ];
  const calls = [
    ...pathCalls(types, operation, all),
    ...all.flatMap((argument) =>
      argument.parameter === undefined || argument.parameter.place === 'path'
        ? []
        : [parameterCall(types, argument, argument.parameter)],
    ),
    ...bodyCalls(types, operation),
    ...(operation.result.mediaType === undefined ? [] : [`.Accept(${csharpString(operation.result.mediaType)})`]),
    ...operation.security.map(
      (keys) => `.Allow(${keys.map((key) => `Scheme.${context.schemes.get(key) ?? ''}`).join(', ')})`,
    ),
  ];
  const last = calls.length - 1;
  return [
    documentation(operation, all),
    operation.isDeprecated && '[Obsolete]',
    `public ${result.task} ${name}(`,
    indented(
      signature.map((text, index) => (index < signature.length - 1 ? `${text},` : `${text})`)),
      '    ',
    ),
    '{',
    `    var request = new ApiRequest(${csharpString(operation.method)}, ${csharpString(operation.pathTemplate)})`,
    indented(
      calls.map((call, index) => (index === last ? `${call};` : call)),
      '        ',
    ),
    `    return _transport.${result.send}(request${result.read === undefined ? '' : `, ${result.read}`}, cancellationToken);`,
    '}',
  ];
}

function documentation(operation: SdkOperation, all: readonly CsharpArgument[]): Lines {
  const { summary, description, errors, result } = operation;
  const known = errors.map((error) => `${xmlLine(error.status)} ${xmlLine(error.description)}`.trim()).join('; ');
  return xmlDocumentation({
    texts: [summary, description === summary ? undefined : description],
    notes: [`<c>${xmlLine(operation.method)} ${xmlLine(operation.pathTemplate)}</c>`],
    tags: [
      ...all.map(({ name, description: text }) => `<param name="${name.replace('@', '')}">${xmlLine(text)}</param>`),
      '<param name="cancellationToken">Ends the call with an <see cref="OperationCanceledException"/>.</param>',
      ...(result.mayBeEmpty ? ['<returns>The answer; null where it has no body.</returns>'] : []),
      `<exception cref="ApiException">The status is not 200 to 299${known === '' ? '' : `: ${known}`}</exception>`,
    ],
  });
}

interface CsharpResult {
  readonly task: string;
  /** A method of the transport. */
  readonly send: string;
  /** What reads the answer. */
  readonly read: string | undefined;
}

function resultOf(types: CsharpTypes, { result }: SdkOperation): CsharpResult {
  if (result.kind === 'none' || result.type === undefined) return { task: 'Task', send: 'NoneAsync', read: undefined };
  const suffix = result.mayBeEmpty ? 'OrNullAsync' : 'Async';
  if (result.kind === 'text') return { task: 'Task<string>', send: `Text${suffix}`, read: undefined };
  if (result.kind === 'binary') return { task: 'Task<byte[]>', send: `Binary${suffix}`, read: undefined };
  const isNullable = result.type.kind === 'nullable' || result.type.kind === 'any';
  const type = result.mayBeEmpty && !isNullable ? ({ kind: 'nullable', type: result.type } as const) : result.type;
  const written = types.typeOf(type);
  return { task: `Task<${written}>`, send: `Json${suffix}<${written}>`, read: types.readerOf(type) };
}

function pathCalls(types: CsharpTypes, operation: SdkOperation, all: readonly CsharpArgument[]): readonly string[] {
  return operation.path.map((part) => {
    if (part.kind === 'literal') return `.Path(${csharpString(part.text)})`;
    const argument = all.find(({ parameter }) => parameter?.place === 'path' && parameter.wireName === part.wireName);
    if (argument?.parameter === undefined) return `.Path(${csharpString(encodeURIComponent(`{${part.wireName}}`))})`;
    const { style } = argument.parameter;
    return `.PathParameter(${csharpString(part.wireName)}, ${valueOf(types, argument, argument.parameter)}, ${styleOf(style)}, ${String(part.isGreedy)})`;
  });
}

function parameterCall(types: CsharpTypes, argument: CsharpArgument, parameter: SdkParameter): string {
  const method = { query: 'Query', header: 'Header', cookie: 'Cookie', path: 'Path' }[parameter.place];
  const explode = parameter.place === 'header' ? '' : `, ${String(parameter.isExploded)}`;
  return `.${method}(${csharpString(parameter.wireName)}, ${valueOf(types, argument, parameter)}, ${styleOf(parameter.style)}${explode})`;
}

/** An expression for the value as JSON; null where there is none. */
function valueOf(types: CsharpTypes, { name, isRequired }: CsharpArgument, { type }: SdkParameter): string {
  return isRequired ? types.written(type, name) : unlessNull(types, type, name);
}

function unlessNull(types: CsharpTypes, type: SdkParameter['type'], name: string): string {
  return `${name} == null ? null : ${types.written(type, isValueType(type) ? `${name}.Value` : name)}`;
}

function bodyCalls(types: CsharpTypes, { body }: SdkOperation): readonly string[] {
  if (body === undefined) return [];
  // A range of media types can be asked for, but not sent.
  const mediaType = csharpString(body.mediaType.includes('*') ? 'application/octet-stream' : body.mediaType);
  const value =
    body.isRequired && body.type.kind !== 'nullable' && !isValueType(body.type)
      ? 'Write.Required(body, "body")'
      : 'body';
  switch (body.kind) {
    case 'json':
      return [
        `.JsonBody(${mediaType}, ${body.isRequired ? types.written(body.type, value) : unlessNull(types, body.type, 'body')})`,
      ];
    case 'multipart':
    case 'form':
      return [
        `.${body.kind === 'form' ? 'Form' : 'Multipart'}Body(${mediaType}, ${body.isRequired ? `${value}.ToForm()` : 'body == null ? null : body.ToForm()'})`,
      ];
    case 'text':
    case 'binary':
      return [`.${body.kind === 'text' ? 'Text' : 'Binary'}Body(${mediaType}, ${value})`];
  }
}
