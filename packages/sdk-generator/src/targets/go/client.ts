import type { SdkModel } from '../../model/sdk-model.ts';
import type { SecurityScheme } from '../../model/security.ts';
import { indented, type Lines } from '../../source-text/lines.ts';
import type { GoNames } from './names.ts';
import { operationMethod } from './operation-method.ts';
import { comment, literal, paragraph } from './text.ts';
import { GoTypes } from './types.ts';

/** The client, its options, and a method for each operation. */
export function clientDeclarations(model: SdkModel, names: GoNames, userAgent: string): readonly Lines[] {
  const types = new GoTypes(names);
  const has = kindsOf(model);
  return [
    model.baseUrl !== undefined && [
      '// DefaultBaseURL is where the API is, unless the options say otherwise.',
      `const DefaultBaseURL = ${literal(model.baseUrl)}`,
    ],
    [`const userAgent = ${literal(userAgent)}`],
    ['var schemes = []scheme{', model.schemes.map((scheme) => `\t${schemeOf(scheme)},`), '}'],
    [
      '// Options are what a client is made with.',
      'type Options struct {',
      indented(
        optionFields(model).map(({ field, about }, index) => [
          index > 0 && '',
          about.map((line) => `// ${line}`),
          field,
        ]),
        '\t',
      ),
      '}',
    ],
    [
      comment(paragraph('Client calls', model.title), [
        'It may be used by several goroutines at once. Every method gives an *APIError where the server answers with',
        'anything but success, a *RequestError where no answer comes, a *DecodeError for an answer that is not as',
        'described, and an *InvalidValueError, before anything is sent, for values that cannot be sent.',
      ]),
      'type Client struct {',
      '\tbaseURL     string',
      '\thttpClient  *http.Client',
      '\theader      http.Header',
      '\tcredentials map[string]credential',
      '}',
    ],
    newClient(model, has),
    ...model.operations.map((operation, index) =>
      operationMethod(operation, names.methods[index] ?? '', names.parameters[index] ?? '', types),
    ),
  ].filter((lines) => lines !== false);
}

interface Kinds {
  readonly bearer: boolean;
  readonly basic: boolean;
  readonly apiKey: boolean;
  readonly apiKeys: boolean;
}

function kindsOf({ schemes }: SdkModel): Kinds {
  const count = (kind: SecurityScheme['kind']): number => schemes.filter((scheme) => scheme.kind === kind).length;
  return {
    bearer: count('bearer') > 0,
    basic: count('basic') > 0,
    apiKey: count('apiKey') > 0,
    apiKeys: count('apiKey') > 1,
  };
}

function schemeOf(scheme: SecurityScheme): string {
  const place = scheme.kind === 'apiKey' ? scheme.place : 'header';
  const name = scheme.kind === 'apiKey' ? scheme.name : 'Authorization';
  return `{${[scheme.key, scheme.kind, place, name].map(literal).join(', ')}}`;
}

function optionFields(model: SdkModel): readonly { readonly field: string; readonly about: readonly string[] }[] {
  const has = kindsOf(model);
  return [
    {
      field: 'BaseURL string',
      about: [
        'BaseURL is where the API is, with http or https in front.',
        ...(model.baseUrl === undefined ? [] : ['DefaultBaseURL where it is empty.']),
      ],
    },
    ...(has.bearer
      ? [{ field: 'BearerToken string', about: ['BearerToken is sent where an operation takes a bearer token.'] }]
      : []),
    ...(has.apiKey
      ? [{ field: 'APIKey string', about: ['APIKey is sent wherever an operation takes an API key.'] }]
      : []),
    ...(has.apiKeys
      ? [
          {
            field: 'APIKeys map[string]string',
            about: ['APIKeys are keys by the name of their scheme, where APIKey is not the one for all.'],
          },
        ]
      : []),
    ...(has.basic
      ? [
          { field: 'Username string', about: ['Username is sent together with Password.'] },
          { field: 'Password string', about: ['Password is sent together with Username.'] },
        ]
      : []),
    {
      field: 'Timeout time.Duration',
      about: ['Timeout is for a whole call. 30 seconds where it is 0 and HTTPClient has none.'],
    },
    { field: 'Header http.Header', about: ['Header is sent with every request.'] },
    {
      field: 'HTTPClient *http.Client',
      about: ['HTTPClient carries the requests. It is copied, and never follows redirects.'],
    },
  ];
}

function newClient(model: SdkModel, has: Kinds): Lines {
  return [
    '// NewClient makes a client, or says which option is wrong.',
    'func NewClient(options Options) (*Client, error) {',
    model.baseUrl !== undefined && ['\tif options.BaseURL == "" {', '\t\toptions.BaseURL = DefaultBaseURL', '\t}'],
    '\tbaseURL, err := checkedBaseURL(options.BaseURL)',
    '\tif err != nil {',
    '\t\treturn nil, err',
    '\t}',
    '\tcredentials := make(map[string]credential)',
    '\tfor _, scheme := range schemes {',
    '\t\tvalue := ""',
    '\t\tswitch scheme.kind {',
    has.bearer && [
      '\t\tcase "bearer":',
      '\t\t\tif options.BearerToken != "" {',
      '\t\t\t\tvalue = "Bearer " + options.BearerToken',
      '\t\t\t}',
    ],
    has.basic && [
      '\t\tcase "basic":',
      '\t\t\tif options.Username != "" || options.Password != "" {',
      '\t\t\t\tvalue = basicCredential(options.Username, options.Password)',
      '\t\t\t}',
    ],
    has.apiKey && [
      '\t\tcase "apiKey":',
      '\t\t\tvalue = options.APIKey',
      has.apiKeys && [
        '\t\t\tif key, isThere := options.APIKeys[scheme.key]; isThere {',
        '\t\t\t\tvalue = key',
        '\t\t\t}',
      ],
    ],
    '\t\t}',
    // Elsewhere it is escaped.
    '\t\tif scheme.place == "header" && !isHeaderValue(value) {',
    '\t\t\treturn nil, &InvalidValueError{scheme.key, "must have visible ASCII characters only: it is sent in a header"}',
    '\t\t}',
    '\t\tif value != "" {',
    '\t\t\tcredentials[scheme.key] = credential{scheme, value}',
    '\t\t}',
    '\t}',
    '\treturn &Client{baseURL, httpClientOf(options.HTTPClient, options.Timeout), options.Header.Clone(), credentials}, nil',
    '}',
  ];
}
