import type { SdkModel } from '../../model/sdk-model.ts';
import type { SecurityScheme } from '../../model/security.ts';
import { indented, textOf, type Lines } from '../../source-text/lines.ts';
import { Imports } from './imports.ts';
import { memberNames, type PythonTypes } from './names.ts';
import { operationMethod } from './operation-method.ts';
import { docstring, docText, literal } from './text.ts';
import { TypeWriter } from './types.ts';

/** An argument of the client's constructor. */
interface Option {
  readonly name: string;
  readonly annotation: string;
  readonly fallback: string;
  readonly about: string;
}

/** The names of an API's operations in Python, in their order. */
export function methodNames(model: SdkModel): readonly string[] {
  const names = memberNames();
  return model.operations.map(({ words }) => names.take(words));
}

/** `client.py`: one method for each operation. */
export function clientModule(model: SdkModel, types: PythonTypes, head: string, userAgent: string): string {
  const imports = new Imports();
  const writer = new TypeWriter(types, imports, '.models');
  const names = methodNames(model);
  for (const name of ['Mapping', 'Optional']) imports.from('typing', name);
  for (const name of ['BaseClient', 'Scheme']) imports.from('._base_client', name);
  imports.from('._transport', 'Transport');
  const options = optionsOf(model, imports);
  const methods = model.operations.map((operation, index) =>
    operationMethod(operation, names[index] ?? '', imports, writer),
  );
  return textOf(
    head,
    '',
    docstring([`The client.`]),
    '',
    imports.lines(),
    '',
    '_SCHEMES: Mapping[str, Scheme] = {',
    model.schemes.map((scheme) => `    ${literal(scheme.key)}: ${schemeCall(scheme)},`),
    '}',
    '',
    '',
    'class Client(BaseClient):',
    indented(
      [
        docstring([
          ...docText(model.title),
          '',
          'It has no state but its options: threads may share it. Every method raises ApiError where the server answers with',
          'anything but success, RequestTimeoutError and ConnectionFailedError where no answer comes, DecodeError for an answer',
          'that is not as described, and InvalidRequestError, before anything is sent, for values that cannot be sent.',
          '',
          'Args:',
          ...options.map(({ name, about }) => `    ${name}: ${about}`),
        ]),
        '',
        constructor(model, options, userAgent),
        methods.map((method) => ['', method]),
      ],
      '    ',
    ),
  );
}

function schemeCall(scheme: SecurityScheme): string {
  if (scheme.kind !== 'apiKey') return `Scheme(${literal(scheme.kind)})`;
  return `Scheme("apiKey", ${literal(scheme.place)}, ${literal(scheme.name)})`;
}

function constructor(model: SdkModel, options: readonly Option[], userAgent: string): Lines {
  const [baseUrl, ...others] = options.map(
    ({ name, annotation, fallback }) => `${name}: ${annotation}${fallback === '' ? '' : ` = ${fallback}`},`,
  );
  const given = (name: string): string => (options.some((option) => option.name === name) ? name : 'None');
  return [
    'def __init__(',
    '    self,',
    `    ${baseUrl}`,
    '    *,',
    others.map((line) => `    ${line}`),
    ') -> None:',
    '    super().__init__(',
    '        base_url,',
    '        _SCHEMES,',
    ['bearer_token', 'api_key', 'api_keys', 'basic_auth'].map((name) => `        ${given(name)},`),
    '        timeout,',
    '        headers,',
    '        transport,',
    `        ${literal(userAgent)},`,
    '    )',
  ];
}

function optionsOf(model: SdkModel, imports: Imports): readonly Option[] {
  const count = (kind: SecurityScheme['kind']): number => model.schemes.filter((scheme) => scheme.kind === kind).length;
  const optional = (name: string, annotation: string, about: string): Option => ({
    name,
    annotation: `Optional[${annotation}]`,
    fallback: 'None',
    about,
  });
  return [
    {
      name: 'base_url',
      annotation: 'str',
      fallback: model.baseUrl === undefined ? '' : literal(model.baseUrl),
      about: 'where the API is, with http or https in front.',
    },
    ...(count('bearer') > 0
      ? [optional('bearer_token', 'str', 'a token, sent as bearer token where an operation takes one.')]
      : []),
    ...(count('apiKey') > 0 ? [optional('api_key', 'str', 'a key, sent wherever an operation takes an API key.')] : []),
    ...(count('apiKey') > 1
      ? [
          optional(
            'api_keys',
            'Mapping[str, str]',
            'keys by the name of their scheme, where api_key is not the one for all.',
          ),
        ]
      : []),
    ...(count('basic') > 0
      ? [optional('basic_auth', `${imports.from('typing', 'Tuple')}[str, str]`, 'a name and a password.')]
      : []),
    { name: 'timeout', annotation: 'float', fallback: '30.0', about: 'seconds for a whole call.' },
    optional('headers', 'Mapping[str, str]', 'sent with every request.'),
    optional('transport', 'Transport', 'what carries requests instead of HttpTransport.'),
  ];
}
