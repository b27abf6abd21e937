import type { PathPart, SdkOperation, SdkParameter } from '../../model/operations.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import type { Imports } from './imports.ts';
import { memberNames } from './names.ts';
import { docstring, docText, literal, tuple } from './text.ts';
import type { TypeWriter } from './types.ts';

interface Argument {
  readonly name: string;
  readonly annotation: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
}

/** One method of the client. */
export function operationMethod(operation: SdkOperation, name: string, imports: Imports, writer: TypeWriter): Lines {
  const names = memberNames(['body']);
  const parameters = operation.parameters.map((parameter) => ({ parameter, name: names.take(parameter.words) }));
  const args = [
    ...parameters.map((each) => parameterArgument(each.parameter, each.name, imports, writer)),
    ...bodyArgument(operation, writer),
  ];
  const required = args.filter(({ isRequired }) => isRequired);
  const optional = args.filter(({ isRequired }) => !isRequired);
  const signature = [
    'self',
    ...required.map((argument) => `${argument.name}: ${argument.annotation}`),
    ...(optional.length === 0 ? [] : ['*']),
    ...optional.map((argument) => `${argument.name}: ${writer.optional(argument.annotation)} = None`),
  ];
  const result = resultOf(operation, writer);
  return [
    signatureLines(name, signature, result.annotation),
    indented(
      [
        docstring(docLines(operation, args)),
        operation.isDeprecated && deprecation(name, imports),
        callLines(operation, parameters, imports, writer),
        parameters
          .filter(({ parameter }) => parameter.place !== 'path')
          .map((each) => parameterLine(each.parameter, each.name, writer)),
        bodyLines(operation, writer),
        result.line,
      ],
      '    ',
    ),
  ];
}

function signatureLines(name: string, parts: readonly string[], result: string): Lines {
  const line = `def ${name}(${parts.join(', ')}) -> ${result}:`;
  return line.length <= 116 ? line : [`def ${name}(`, parts.map((part) => `    ${part},`), `) -> ${result}:`];
}

function parameterArgument(
  { type, isRequired, description, isDeprecated }: SdkParameter,
  name: string,
  imports: Imports,
  writer: TypeWriter,
): Argument {
  // Any sequence will do for a list that is only sent.
  const annotation =
    type.kind === 'list'
      ? `${imports.from('typing', 'Sequence')}[${writer.annotation(type.items)}]`
      : writer.annotation(type);
  return { name, annotation, isRequired, description, isDeprecated };
}

function bodyArgument({ body }: SdkOperation, writer: TypeWriter): readonly Argument[] {
  if (body === undefined) return [];
  const { isRequired, description } = body;
  return [{ name: 'body', annotation: writer.annotation(body.type), isRequired, description, isDeprecated: false }];
}

function docLines(operation: SdkOperation, args: readonly Argument[]): readonly string[] {
  const described = args.filter(({ description, isDeprecated }) => description !== undefined || isDeprecated);
  const request = docText(`${operation.method} ${operation.pathTemplate}`);
  const summary = docText(operation.summary).join(' ');
  const description = docText(operation.description);
  return [
    ...(summary === '' ? [] : [summary, '']),
    ...(description.length === 0 ? [] : [...description, '']),
    ...request,
    ...(operation.isDeprecated ? ['', 'Deprecated.'] : []),
    ...(described.length === 0 ? [] : ['', 'Args:']),
    ...described.map(({ name, description: about, isDeprecated }) =>
      `    ${name}: ${isDeprecated ? 'Deprecated. ' : ''}${docText(about).join(' ')}`.trimEnd(),
    ),
    ...(operation.errors.length === 0 ? [] : ['', 'Raises:']),
    ...operation.errors.map(({ status, description: about }) =>
      `    ApiError: ${docText(status).join(' ')}: ${docText(about).join(' ')}`.trimEnd(),
    ),
  ];
}

function deprecation(name: string, imports: Imports): string {
  imports.from('warnings', 'warn', '_warn');
  return `_warn(${literal(`${name} is deprecated`)}, DeprecationWarning, stacklevel=2)`;
}

function callLines(
  operation: SdkOperation,
  parameters: readonly { readonly parameter: SdkParameter; readonly name: string }[],
  imports: Imports,
  writer: TypeWriter,
): Lines {
  const path = operation.path.map((part) => pathPart(part, parameters, imports, writer)).join(' + ');
  const security = operation.security.map((keys) => tuple(keys.map(literal)));
  const values = [
    literal(operation.method),
    literal(operation.pathTemplate),
    path,
    ...(security.length === 0 ? [] : [`security=${tuple(security)}`]),
  ];
  const name = imports.from('._call', 'OperationCall');
  const line = `_call = ${name}(${values.join(', ')})`;
  return line.length <= 112 ? line : [`_call = ${name}(`, values.map((value) => `    ${value},`), ')'];
}

function pathPart(
  part: PathPart,
  parameters: readonly { readonly parameter: SdkParameter; readonly name: string }[],
  imports: Imports,
  writer: TypeWriter,
): string {
  if (part.kind === 'literal') return literal(part.text);
  const found = parameters.find(({ parameter }) => parameter.place === 'path' && parameter.wireName === part.wireName);
  if (found === undefined) throw new Error(`no path parameter ${part.wireName}`);
  const { parameter, name } = found;
  const helper = imports.from('._call', parameter.style === 'json' ? 'json_path_value' : 'path_value');
  const greedy = part.isGreedy && parameter.style !== 'json' ? ', is_greedy=True' : '';
  return `${helper}(${literal(parameter.wireName)}, ${argumentCodec(parameter, writer)}, ${name}${greedy})`;
}

function parameterLine(parameter: SdkParameter, name: string, writer: TypeWriter): string {
  const { wireName, place, style, isExploded } = parameter;
  const usual = place === 'header' ? 'simple' : 'form';
  const more = [
    ...(style === usual ? [] : [`style=${literal(style)}`]),
    ...(place !== 'header' && style !== 'json' && !isExploded ? ['exploded=False'] : []),
  ];
  const values = [literal(wireName), argumentCodec(parameter, writer), name, ...more];
  return `_call.in_${place}(${values.join(', ')})`;
}

/** None means that nothing is sent, so that there is no null to write. */
function argumentCodec({ type }: SdkParameter, writer: TypeWriter): string {
  const inner = type.kind === 'nullable' ? type.type : type;
  return inner.kind === 'list' ? writer.sequenceCodec(inner.items) : writer.codec(inner);
}

function bodyLines({ body }: SdkOperation, writer: TypeWriter): Lines {
  if (body === undefined) return [];
  const mediaType = literal(body.mediaType);
  const calls = {
    json: () => `_call.json_body(${mediaType}, ${writer.codec(body.type)}, body)`,
    multipart: () => `_call.multipart_body(${mediaType}, body)`,
    form: () => `_call.form_body(${mediaType}, body)`,
    text: () => `_call.text_body(${mediaType}, body)`,
    binary: () => `_call.binary_body(${mediaType}, body)`,
  };
  const line = calls[body.kind]();
  return body.isRequired ? line : ['if body is not None:', `    ${line}`];
}

function resultOf(
  { result }: SdkOperation,
  writer: TypeWriter,
): { readonly annotation: string; readonly line: string } {
  if (result.kind === 'none' || result.type === undefined) {
    return { annotation: 'None', line: 'self._nothing(_call)' };
  }
  const annotation =
    result.kind === 'json' ? writer.annotation(result.type) : { text: 'str', binary: 'bytes' }[result.kind];
  const codec = result.kind === 'json' ? `, ${writer.codec(result.type)}` : '';
  const accept = literal(result.mediaType ?? '*/*');
  const method = `_${result.kind}${result.mayBeEmpty ? '_or_none' : ''}`;
  return {
    annotation: result.mayBeEmpty ? writer.optional(annotation) : annotation,
    line: `return self.${method}(_call, ${accept}${codec})`,
  };
}
