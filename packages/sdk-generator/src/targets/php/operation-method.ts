import type { PathPart, SdkOperation, SdkParameter } from '../../model/operations.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import { variableNames } from './names.ts';
import { docComment, docLine, docText, listLiteral, literal } from './text.ts';
import type { TypeWriter } from './types.ts';

interface Argument {
  readonly name: string;
  readonly type: TypeRef;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
}

interface NamedParameter {
  readonly parameter: SdkParameter;
  readonly name: string;
}

/** One method of the client. */
export function operationMethod(operation: SdkOperation, name: string, writer: TypeWriter): Lines {
  const names = variableNames(['body', 'call']);
  const parameters = operation.parameters.map((parameter) => ({ parameter, name: names.take(parameter.words) }));
  const all = [
    ...parameters.map(({ parameter, name: argument }): Argument => ({
      ...parameter,
      name: argument,
      type: plainType(parameter),
    })),
    ...(operation.body === undefined ? [] : [{ ...operation.body, name: 'body', isDeprecated: false }]),
  ];
  const args = [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
  const result = resultOf(operation, writer);
  return [
    docComment(docLines(operation, args, result, writer)),
    signatureLines(name, args, result.native, writer),
    indented([callLines(operation, parameters, writer), bodyLines(operation, writer), result.line], '    '),
    '}',
  ];
}

function signatureLines(name: string, args: readonly Argument[], result: string, writer: TypeWriter): Lines {
  const written = args.map(
    ({ name: argument, type, isRequired }) =>
      `${writer.native(type, isRequired ? [] : ['null'])} $${argument}${isRequired ? '' : ' = null'}`,
  );
  const line = `public function ${name}(${written.join(', ')}): ${result}`;
  if (line.length <= 112) return [line, '{'];
  return [`public function ${name}(`, written.map((argument) => `    ${argument},`), `): ${result} {`];
}

/** The request with what stands in its address and its head. */
function callLines(operation: SdkOperation, parameters: readonly NamedParameter[], writer: TypeWriter): Lines {
  const values = [
    literal(operation.method),
    literal(operation.pathTemplate),
    ...(operation.security.length === 0 ? [] : [`[${operation.security.map(listLiteral).join(', ')}]`]),
  ];
  const lines = [
    ...operation.path.map((part) => pathLine(part, parameters, writer)),
    ...parameters.filter(({ parameter }) => parameter.place !== 'path').map((each) => parameterLine(each, writer)),
  ];
  return [
    `$call = (new Call(${values.join(', ')}))`,
    lines.map((line, index) => `    ${line}${index === lines.length - 1 ? ';' : ''}`),
  ];
}

/** Null means that a parameter is not sent. */
function plainType({ type }: SdkParameter): TypeRef {
  return type.kind === 'nullable' ? type.type : type;
}

function docLines(
  operation: SdkOperation,
  args: readonly Argument[],
  result: { readonly documented: string | undefined },
  writer: TypeWriter,
): Lines {
  const described = args.filter(
    ({ description, isDeprecated, type }) => description !== undefined || isDeprecated || writer.saysMore(type),
  );
  const summary = docLine(operation.summary);
  const request = docLine(`${operation.method} ${operation.pathTemplate}`);
  const description = docText(operation.description);
  return [
    summary !== '' && [summary, ''],
    description.length > 0 && [description, ''],
    request,
    '',
    described.map(({ name, type, isRequired, description: about, isDeprecated }) =>
      `@param ${writer.documented(type)}${isRequired ? '' : '|null'} $${name} ${isDeprecated ? 'deprecated ' : ''}${docLine(about)}`.trimEnd(),
    ),
    result.documented !== undefined && `@return ${result.documented}`,
    operation.errors.map(({ status, description: about }) =>
      `@throws Exception\\ApiException ${docLine(`${status}: ${about ?? ''}`)}`.trimEnd(),
    ),
    operation.isDeprecated && '@deprecated',
  ];
}

function pathLine(part: PathPart, parameters: readonly NamedParameter[], writer: TypeWriter): string {
  if (part.kind === 'literal') return `->literal(${literal(part.text)})`;
  const found = parameters.find(({ parameter }) => parameter.place === 'path' && parameter.wireName === part.wireName);
  if (found === undefined) throw new Error(`no path parameter ${part.wireName}`);
  const more = [
    ...(found.parameter.style === 'json' ? ["style: 'json'"] : []),
    ...(part.isGreedy ? ['isGreedy: true'] : []),
  ];
  return `->inPath(${[literal(part.wireName), writer.codec(plainType(found.parameter)), `$${found.name}`, ...more].join(', ')})`;
}

function parameterLine({ parameter, name }: NamedParameter, writer: TypeWriter): string {
  const { wireName, place, style, isExploded } = parameter;
  const method = { query: 'inQuery', header: 'inHeader', cookie: 'inCookie', path: 'inPath' }[place];
  const usual = place === 'header' ? 'simple' : 'form';
  const more = [
    ...(style === usual ? [] : [`style: ${literal(style)}`]),
    ...(place !== 'header' && style !== 'json' && !isExploded ? ['isExploded: false'] : []),
  ];
  return `->${method}(${[literal(wireName), writer.codec(plainType(parameter)), `$${name}`, ...more].join(', ')})`;
}

function bodyLines({ body }: SdkOperation, writer: TypeWriter): Lines {
  if (body === undefined) return [];
  const mediaType = literal(body.mediaType);
  const calls = {
    json: () => `$call->withJson(${mediaType}, ${writer.codec(body.type)}, $body);`,
    multipart: () => `$call->withMultipart(${mediaType}, $body);`,
    form: () => `$call->withForm(${mediaType}, $body);`,
    text: () => `$call->withBody(${mediaType}, $body);`,
    binary: () => `$call->withBody(${mediaType}, $body);`,
  };
  const line = calls[body.kind]();
  return body.isRequired ? line : ['if ($body !== null) {', `    ${line}`, '}'];
}

function resultOf(
  { result }: SdkOperation,
  writer: TypeWriter,
): { readonly native: string; readonly documented: string | undefined; readonly line: string } {
  if (result.kind === 'none' || result.type === undefined) {
    return { native: 'void', documented: undefined, line: '$this->sender->none($call);' };
  }
  const accept = literal(result.mediaType ?? '*/*');
  const more = result.mayBeEmpty ? ['null'] : [];
  if (result.kind !== 'json') {
    const native = result.mayBeEmpty ? '?string' : 'string';
    const line = `$this->sender->text($call, ${accept})`;
    // An empty text is as good as none.
    return {
      native,
      documented: undefined,
      line: result.mayBeEmpty ? `$body = ${line};\nreturn $body === '' ? null : $body;` : `return ${line};`,
    };
  }
  return {
    native: writer.native(result.type, more),
    documented: writer.saysMore(result.type)
      ? `${writer.documented(result.type)}${result.mayBeEmpty ? '|null' : ''}`
      : undefined,
    line: `return $this->sender->json($call, ${accept}, ${writer.codec(result.type)}, ${String(result.mayBeEmpty)});`,
  };
}
