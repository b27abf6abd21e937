import type { SdkBody, SdkOperation, SdkParameter, SdkResult } from '../../model/operations.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import { argumentNames, fieldNames } from './names.ts';
import { structOf } from './objects.ts';
import { comment, literal, paragraph } from './text.ts';
import type { GoTypes } from './types.ts';

/** A parameter with the expression that has its value. */
interface Given {
  readonly parameter: SdkParameter;
  readonly value: string;
  readonly goType: string;
}

/** One method of the client, below the struct of its optional parameters where it has some. */
export function operationMethod(operation: SdkOperation, name: string, paramsName: string, types: GoTypes): Lines {
  const names = argumentNames();
  const fields = fieldNames();
  const required: Given[] = [];
  const optional: (Given & { readonly name: string })[] = [];
  for (const parameter of operation.parameters) {
    const type = parameter.type.kind === 'nullable' ? parameter.type.type : parameter.type;
    if (parameter.isRequired) {
      required.push({ parameter, value: names.take(parameter.words), goType: types.of(type) });
    } else {
      const field = fields.take(parameter.words);
      optional.push({ parameter, name: field, value: `params.${field}`, goType: types.orNil(type) });
    }
  }
  const result = resultOf(operation.result, types);
  const signature = [
    'ctx context.Context',
    ...required.map(({ value, goType }) => `${value} ${goType}`),
    ...(operation.body === undefined ? [] : [`body ${bodyType(operation.body, types)}`]),
    ...(optional.length === 0 ? [] : [`params *${paramsName}`]),
  ];
  return [
    optional.length > 0 && [
      `// ${paramsName} are the optional parameters of ${name}.`,
      structOf(
        paramsName,
        optional.map(({ parameter, ...rest }) => ({ ...rest, property: propertyOf(parameter) })),
        undefined,
        types,
      ),
      '',
    ],
    methodComment(operation, name, required),
    `func (c *Client) ${name}(${signature.join(', ')}) ${result.type} {`,
    indented(
      [
        `r := newRequest(${[literal(operation.method), literal(operation.pathTemplate), ...operation.security.map((keys) => (keys.length === 0 ? '[]string{}' : `[]string{${keys.map(literal).join(', ')}}`))].join(', ')})`,
        operation.path.map((part) => {
          if (part.kind === 'literal') return `r.literal(${literal(part.text)})`;
          const given = required.find(
            ({ parameter }) => parameter.place === 'path' && parameter.wireName === part.wireName,
          );
          if (given === undefined) throw new Error(`no path parameter ${part.wireName}`);
          const wireName = literal(part.wireName);
          return given.parameter.style === 'json'
            ? `r.pathJSON(${wireName}, ${given.value})`
            : `r.pathValue(${wireName}, ${given.value}, ${String(part.isGreedy)})`;
        }),
        required.filter(({ parameter }) => parameter.place !== 'path').map((given) => parameterLine(given)),
        optional.length > 0 && [
          'if params != nil {',
          optional.map((given) => [`\tif ${given.value} != nil {`, `\t\t${parameterLine(given)}`, '\t}']),
          '}',
        ],
        operation.body && bodyLines(operation.body),
        result.lines,
      ],
      '\t',
    ),
    '}',
  ];
}

function propertyOf({
  wireName,
  words,
  type,
  description,
  isDeprecated,
}: SdkParameter): Parameters<typeof structOf>[1][number]['property'] {
  return {
    wireName,
    words,
    type,
    description,
    isDeprecated,
    isRequired: false,
    isReadOnly: false,
    isWriteOnly: false,
    part: undefined,
  };
}

function methodComment(operation: SdkOperation, name: string, required: readonly Given[]): readonly string[] {
  const { summary, description, errors } = operation;
  const request = `${operation.method} ${operation.pathTemplate}`;
  const described = required.filter(({ parameter }) => parameter.description !== undefined || parameter.isDeprecated);
  return comment(
    summary === undefined ? paragraph(`${name} sends`, request) : paragraph(`${name}:`, summary),
    description === undefined ? [] : paragraph('Details:', description),
    summary === undefined ? [] : paragraph('Request:', request),
    ...described.map(({ parameter, value }) =>
      paragraph(`Argument ${value}:`, `${parameter.isDeprecated ? 'deprecated. ' : ''}${parameter.description ?? ''}`),
    ),
    ...errors.map((error) => paragraph('Answers with status', `${error.status}: ${error.description ?? 'an error'}`)),
    operation.isDeprecated ? ['Deprecated: the description says so.'] : [],
  );
}

function parameterLine({ parameter, value }: Given): string {
  const { place, style, isExploded } = parameter;
  const wireName = literal(parameter.wireName);
  if (style === 'json') return `r.${place}JSON(${wireName}, ${value})`;
  if (place === 'header') return `r.headerValue(${wireName}, ${value})`;
  if (place === 'cookie') return `r.cookieValue(${wireName}, ${value}, ${String(isExploded)})`;
  return `r.queryValue(${wireName}, ${value}, ${literal(style)}, ${String(isExploded)})`;
}

function bodyType({ kind, type, isRequired }: SdkBody, types: GoTypes): string {
  if (kind === 'binary') return 'io.Reader';
  return isRequired ? types.of(type) : types.orNil(type);
}

function bodyLines({ kind, mediaType, isRequired, type }: SdkBody): Lines {
  const given = literal(mediaType);
  const calls = {
    json: () => `r.jsonBody(${given}, body)`,
    multipart: () => `r.multipartBody(${given}, body.formFields())`,
    form: () => `r.formBody(${given}, body.formFields())`,
    text: () => `r.setBody(${given}, strings.NewReader(${isRequired ? '' : '*'}body))`,
    binary: () => `r.setBody(${given}, body)`,
  };
  const line = calls[kind]();
  // A list that is null is not an empty one.
  const isNull =
    isRequired && kind === 'json' && type.kind === 'nullable' && ['list', 'map', 'bytes'].includes(type.type.kind);
  if (isNull) return ['if body == nil {', `\tr.jsonBody(${given}, nil)`, '} else {', `\t${line}`, '}'];
  return isRequired ? line : ['if body != nil {', `\t${line}`, '}'];
}

/** The results of the method, in brackets where there are two, and the lines that bring them. */
function resultOf(result: SdkResult, types: GoTypes): { readonly type: string; readonly lines: Lines } {
  const accept = literal(result.mediaType ?? '*/*');
  if (result.kind === 'none' || result.type === undefined) return { type: 'error', lines: 'return c.none(ctx, r)' };
  if (result.kind === 'binary') return { type: '(io.ReadCloser, error)', lines: `return c.stream(ctx, r, ${accept})` };
  if (result.kind === 'text') {
    return {
      type: '(string, error)',
      lines: [`result, err := c.bytes(ctx, r, ${accept})`, 'return string(result), err'],
    };
  }
  const type = types.of(result.type);
  const isStruct = result.type.kind === 'named' && types.names.types.get(result.type.id)?.type.kind !== 'enum';
  const isPointer = isStruct || (result.mayBeEmpty && !types.isNilable(result.type));
  const zero = isPointer || types.isNilable(result.type) ? 'nil' : 'result';
  const condition = result.mayBeEmpty ? 'isThere, err' : '_, err';
  return {
    type: `(${isPointer ? '*' : ''}${type}, error)`,
    lines: [
      `var result ${type}`,
      `${result.mayBeEmpty ? '' : 'if '}${condition} := c.json(ctx, r, ${accept}, ${String(result.mayBeEmpty)}, &result)${result.mayBeEmpty ? '' : '; err != nil {'}`,
      result.mayBeEmpty && 'if err != nil || !isThere {',
      `\treturn ${zero}, err`,
      '}',
      `return ${isPointer ? '&' : ''}result, nil`,
    ],
  };
}
