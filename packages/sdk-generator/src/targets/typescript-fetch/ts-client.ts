import type { SdkBody, SdkOperation, SdkParameter, SdkResult } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { indented, textOf, type Lines } from '../../source-text/lines.ts';
import type { OperationNames, TsNames } from './ts-names.ts';
import { deprecated, docComment, literal, literals } from './ts-text.ts';
import { codecText, fieldText, typeText } from './ts-types.ts';

/** `src/client.ts` */
export function clientText(model: SdkModel, names: TsNames, head: string): string {
  const hasUrl = model.baseUrl !== undefined;
  const uses = (text: string): boolean => methods.some((lines) => textOf(lines).includes(text));
  const methods = names.operations.map((one) => methodLines(names, one));
  const requests = names.operations.map((one) => requestLines(names, one));
  const usesIn = (text: string): boolean => uses(text) || requests.some((lines) => textOf(lines).includes(text));
  return textOf(
    head,
    usesIn('models.') && "import * as models from './models.ts';",
    names.operations.length > 0 && "import { Call } from './runtime/call.ts';",
    uses('json.') && "import * as json from './runtime/codec.ts';",
    usesIn('Content') &&
      /[^\w.]Content\b/.test(textOf(requests)) &&
      "import type { Content } from './runtime/forms.ts';",
    names.operations.length === 0
      ? "import { Transport, type Scheme, type TransportOptions } from './runtime/transport.ts';"
      : "import { Transport, type CallOptions, type Scheme, type TransportOptions } from './runtime/transport.ts';",
    '',
    '/** How this client is made. */',
    'export interface ClientOptions extends TransportOptions {',
    indented([
      docComment([hasUrl ? `Where the API is: ${model.baseUrl ?? ''} where nothing is said.` : 'Where the API is.']),
      `readonly baseUrl${hasUrl ? '?' : ''}: string${hasUrl ? ' | undefined' : ''};`,
    ]),
    '}',
    '',
    'const schemes: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([',
    indented(model.schemes.map((scheme) => `[${literal(scheme.key)}, ${schemeText(scheme)}],`)),
    ']);',
    requests.map((lines) => lines.length > 0 && ['', lines]),
    '',
    docComment([model.title, model.description]),
    'export class ApiClient {',
    indented([
      names.operations.length > 0 && 'readonly #transport: Transport;',
      names.operations.length > 0 && '',
      `constructor(options: ClientOptions${hasUrl ? ' = {}' : ''}) {`,
      indented(
        `${names.operations.length > 0 ? 'this.#transport = ' : ''}new Transport(options.baseUrl${hasUrl ? ` ?? ${literal(model.baseUrl ?? '')}` : ''}, options, schemes);`,
      ),
      '}',
      methods.map((lines) => ['', lines]),
    ]),
    '}',
  );
}

function schemeText(scheme: SdkModel['schemes'][number]): string {
  if (scheme.kind !== 'apiKey') return `{ kind: ${literal(scheme.kind)} }`;
  return `{ kind: 'apiKey', place: ${literal(scheme.place)}, name: ${literal(scheme.name)} }`;
}

/** The type of a method's argument; nothing where it has none. */
function requestLines(names: TsNames, { operation, request, parameters, method }: OperationNames): readonly Lines[] {
  if (!hasArgument(operation)) return [];
  const { body } = operation;
  const field = ({ type, isRequired, description, isDeprecated }: SdkParameter, index: number): Lines => [
    docComment([description], deprecated(isDeprecated)),
    fieldText(parameters[index] ?? '', typeText(names, type, 'models.'), isRequired),
  ];
  return [
    `/** What {@link ApiClient.${method}} takes. */`,
    `export interface ${request} {`,
    indented(operation.parameters.map(field)),
    body && indented([docComment([body.description]), fieldText('body', bodyType(names, body), body.isRequired)]),
    '}',
  ];
}

function hasArgument({ parameters, body }: SdkOperation): boolean {
  return parameters.length > 0 || body !== undefined;
}

function bodyType(names: TsNames, { kind, type }: SdkBody): string {
  return kind === 'binary' ? 'Content' : typeText(names, type, 'models.');
}

function methodLines(names: TsNames, { operation, method, request, parameters }: OperationNames): Lines {
  const { result, body } = operation;
  const isOptional = operation.parameters.every(({ isRequired }) => !isRequired) && body?.isRequired !== true;
  const argument = hasArgument(operation) ? `request: ${request}${isOptional ? ' = {}' : ''}, ` : '';
  const errors = operation.errors.map(({ status, description }) => `${status}: ${description?.split('\n')[0] ?? ''}`);
  const security = operation.security.map(literals).join(', ');
  const accept = result.mediaType === undefined ? '' : `, ${literal(result.mediaType)}`;
  const written = `${literal(operation.method)}, ${literal(operation.pathTemplate)}, [${security}]${accept}`;
  return [
    docComment(
      [
        operation.summary,
        operation.description,
        `${operation.method} ${operation.pathTemplate}`,
        errors.length === 0 ? undefined : `Errors: ${errors.join('; ')}`,
      ],
      deprecated(operation.isDeprecated),
    ),
    `async ${method}(${argument}options?: CallOptions): Promise<${resultType(names, result)}> {`,
    indented([
      `const call = new Call(this.#transport, ${written});`,
      pathLines(names, operation, parameters),
      operation.parameters.map((parameter, index) => parameterLine(names, parameter, parameters[index] ?? '')),
      body && bodyLine(names, body),
      `return ${resultCall(names, result)};`,
    ]),
    '}',
  ];
}

function resultType(names: TsNames, { kind, type, mayBeEmpty }: SdkResult): string {
  if (kind === 'none' || type === undefined) return 'void';
  const text = kind === 'binary' ? 'Blob' : kind === 'text' ? 'string' : typeText(names, type, 'models.');
  return mayBeEmpty && !text.endsWith(' | null') ? `${text} | null` : text;
}

function resultCall(names: TsNames, { kind, type, mayBeEmpty }: SdkResult): string {
  if (kind === 'none' || type === undefined) return 'call.none(options)';
  const emptiness = mayBeEmpty ? "'maybeEmpty'" : "'full'";
  if (kind !== 'json') return `call.${kind}(${emptiness}, options)`;
  return `call.json(${codec(names, type)}, ${emptiness}, options)`;
}

function codec(names: TsNames, type: TypeRef): string {
  return codecText(names, type, 'models.');
}

function pathLines(names: TsNames, operation: SdkOperation, parameters: readonly string[]): Lines {
  return operation.path.map((part) => {
    if (part.kind === 'literal') return `call.literal(${literal(part.text)});`;
    const index = operation.parameters.findIndex(
      ({ place, wireName }) => place === 'path' && wireName === part.wireName,
    );
    const [parameter, name] = [operation.parameters[index], parameters[index]];
    if (parameter === undefined || name === undefined) return undefined;
    const method = parameter.style === 'json' ? 'jsonInPath' : 'inPath';
    const greedy = part.isGreedy && parameter.style !== 'json' ? ', true' : '';
    return `call.${method}(${literal(name)}, ${codec(names, parameter.type)}, request.${name}${greedy});`;
  });
}

function parameterLine(names: TsNames, parameter: SdkParameter, name: string): Lines {
  const { wireName, place, type, style, isExploded } = parameter;
  const value = `${codec(names, type)}, request.${name}`;
  if (place === 'path') return undefined;
  if (place === 'header') return `call.inHeader(${literal(wireName)}, ${value}${style === 'json' ? ', true' : ''});`;
  const method = place === 'query' ? 'inQuery' : 'inCookie';
  return `call.${method}(${literal(wireName)}, ${value}, ${literal(style)}, ${isExploded});`;
}

function bodyLine(names: TsNames, { kind, type, mediaType }: SdkBody): Lines {
  const value = 'request.body';
  if (kind === 'json') return `call.jsonBody(${codec(names, type)}, ${value}, ${literal(mediaType)});`;
  if (kind === 'text' || kind === 'binary') return `call.${kind}Body(${value}, ${literal(mediaType)});`;
  const fields = type.kind === 'named' ? `models.${names.codecOf(type.id)}` : '[]';
  return `call.${kind}Body(${fields}, ${value});`;
}
