import type { SdkModel } from '../../model/sdk-model.ts';
import type { SecurityScheme } from '../../model/security.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import { methodNames, type PhpTypes } from './names.ts';
import { operationMethod } from './operation-method.ts';
import { phpFile, type PhpLibrary } from './php-file.ts';
import { docComment, docText, literal } from './text.ts';
import { TypeWriter } from './types.ts';

/** An argument of the client's constructor. */
interface Option {
  readonly name: string;
  readonly native: string;
  /** For documentation, where it says more. */
  readonly documented?: string;
  readonly fallback: string;
  readonly about: string;
  readonly isSecret?: boolean;
}

/** The names of an API's operations in PHP, in their order. */
export function clientMethodNames(model: SdkModel): readonly string[] {
  const names = methodNames();
  return model.operations.map(({ words }) => names.take(words));
}

/** `Client.php`: one method for each operation. */
export function clientFile(model: SdkModel, types: PhpTypes, library: PhpLibrary, userAgent: string): SdkFile {
  const writer = new TypeWriter(types, 'Model\\');
  const names = clientMethodNames(model);
  const methods = model.operations.map((operation, index) => operationMethod(operation, names[index] ?? '', writer));
  const body: Lines = [
    docComment([
      docText(model.title),
      '',
      'It has no state but its options. Every method throws an ApiException where the server answers with anything but',
      'success, a TimeoutException or another ConnectionException where no answer comes, a DecodeException for an answer',
      'that is not as described, and an InvalidValueException, before anything is sent, for values that cannot be sent.',
    ]),
    'final class Client',
    '{',
    indented(
      [
        'private readonly Sender $sender;',
        '',
        constructor(model, optionsOf(model), userAgent),
        methods.map((method) => ['', method]),
      ],
      '    ',
    ),
    '}',
  ];
  return phpFile(library, '', 'Client', body, [
    'Http\\Transport',
    'Runtime\\Call',
    'Runtime\\Codec',
    'Runtime\\Scheme',
    'Runtime\\Sender',
  ]);
}

function constructor(model: SdkModel, options: readonly Option[], userAgent: string): Lines {
  const given = (name: string, otherwise: string): string =>
    options.some((option) => option.name === name) ? `$${name}` : otherwise;
  return [
    docComment(
      options.map(({ name, native, documented, about }) => `@param ${documented ?? native} $${name} ${about}`),
    ),
    'public function __construct(',
    options.map(
      ({ name, native, fallback, isSecret }) =>
        `    ${isSecret === true ? '#[\\SensitiveParameter] ' : ''}${native} $${name}${fallback === '' ? '' : ` = ${fallback}`},`,
    ),
    ') {',
    '    $this->sender = new Sender(',
    '        $baseUrl,',
    '        [',
    model.schemes.map((scheme) => `            ${literal(scheme.key)} => ${schemeCall(scheme)},`),
    '        ],',
    `        ${given('bearerToken', 'null')},`,
    `        ${given('apiKey', 'null')},`,
    `        ${given('apiKeys', '[]')},`,
    `        ${given('basicAuth', 'null')},`,
    '        $timeout,',
    '        $headers,',
    '        $transport,',
    `        ${literal(userAgent)},`,
    '    );',
    '}',
  ];
}

function schemeCall(scheme: SecurityScheme): string {
  if (scheme.kind !== 'apiKey') return `new Scheme(${literal(scheme.kind)})`;
  return `new Scheme('apiKey', ${literal(scheme.place)}, ${literal(scheme.name)})`;
}

function optionsOf(model: SdkModel): readonly Option[] {
  const count = (kind: SecurityScheme['kind']): number => model.schemes.filter((scheme) => scheme.kind === kind).length;
  const secret = (name: string, about: string): Option => ({
    name,
    native: '?string',
    fallback: 'null',
    about,
    isSecret: true,
  });
  return [
    {
      name: 'baseUrl',
      native: 'string',
      fallback: model.baseUrl === undefined ? '' : literal(model.baseUrl),
      about: 'where the API is, with http or https in front',
    },
    ...(count('bearer') > 0 ? [secret('bearerToken', 'sent where an operation takes a bearer token')] : []),
    ...(count('apiKey') > 0 ? [secret('apiKey', 'sent wherever an operation takes an API key')] : []),
    ...(count('apiKey') > 1
      ? [
          {
            name: 'apiKeys',
            native: 'array',
            documented: 'array<string, string>',
            fallback: '[]',
            about: 'keys by the name of their scheme, where apiKey is not the one for all',
            isSecret: true,
          },
        ]
      : []),
    ...(count('basic') > 0
      ? [
          {
            name: 'basicAuth',
            native: '?array',
            documented: 'array{string, string}|null',
            fallback: 'null',
            about: 'a name and a password',
            isSecret: true,
          },
        ]
      : []),
    { name: 'timeout', native: 'float', fallback: '30.0', about: 'seconds for a whole call' },
    {
      name: 'headers',
      native: 'array',
      documented: 'array<string, string>',
      fallback: '[]',
      about: 'sent with every request',
    },
    {
      name: 'transport',
      native: '?Transport',
      fallback: 'null',
      about: 'what carries requests instead of Http\\CurlTransport',
    },
  ];
}
