import { indented } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { sourceFile } from './csharp-file.ts';
import { csharpString, xmlDocumentation, xmlLine } from './csharp-text.ts';

/** The class that everything begins with: the groups of operations. */
export function clientFile(context: CsharpContext): SdkFile {
  const { model, clientName, groups } = context;
  const usings = [
    'System',
    'System.Collections.Generic',
    'System.Net.Http',
    'System.Threading',
    ...(groups.length > 0 ? ['.Api'] : []),
    '.Internal',
  ];
  const optionsName = `${clientName}Options`;
  return sourceFile(context, '', clientName, usings, [
    xmlDocumentation({
      texts: [`${model.title} ${model.version}`, model.description],
      notes: ['Safe for use by several threads: make one and keep it.'],
    }),
    `public sealed class ${clientName} : IDisposable`,
    '{',
    indented(
      [
        'private readonly Transport _transport;',
        '',
        `/// <param name="options">${model.baseUrl === undefined ? 'with a base URL' : 'null for none'}</param>`,
        `public ${clientName}(${optionsName} options${model.baseUrl === undefined ? '' : ' = null'})`,
        '{',
        model.baseUrl === undefined
          ? '    if (options == null) throw new ArgumentNullException("options");'
          : `    options = options ?? new ${optionsName}();`,
        '    _transport = new Transport(',
        '        options.NewHttpClient(), options.CheckedBaseUrl(), options.CheckedTimeout(), options.CheckedHeaders(), options.NewCredentials());',
        groups.map(({ accessor, className }) => `    ${accessor} = new ${className}(_transport);`),
        '}',
        groups.map(({ accessor, className, tag }) => [
          '',
          `/// <summary>${tag === undefined ? 'Operations.' : `Operations of ${xmlLine(tag)}.`}</summary>`,
          `public ${className} ${accessor} { get; }`,
        ]),
        '',
        '/// <summary>Closes connections. A handler that was given stays as it is.</summary>',
        'public void Dispose()',
        '{',
        '    _transport.Dispose();',
        '}',
      ],
      '    ',
    ),
    '}',
  ]);
}

export function optionsFile(context: CsharpContext): SdkFile {
  const { model, clientName } = context;
  const usings = ['System', 'System.Collections.Generic', 'System.Net.Http', 'System.Threading', '.Internal'];
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  const keys = model.schemes.filter(({ kind }) => kind === 'apiKey');
  return sourceFile(context, '', `${clientName}Options`, usings, [
    `/// <summary>Options of a <see cref="${clientName}"/>. It takes a copy of them.</summary>`,
    `public sealed class ${clientName}Options`,
    '{',
    indented(
      [
        xmlDocumentation({
          notes: [
            'Where the API is: what all paths of operations are put behind.',
            model.baseUrl === undefined ? 'It has to be given.' : `Without it: ${xmlLine(model.baseUrl)}`,
          ],
        }),
        `public string BaseUrl { get; set; }${model.baseUrl === undefined ? '' : ` = ${csharpString(model.baseUrl)};`}`,
        '',
        kinds.has('bearer') && [
          '/// <summary>The token for all operations that take a bearer token.</summary>',
          'public string BearerToken { get; set; }',
          '',
        ],
        kinds.has('basic') && [
          '/// <summary>For all operations that take a name with a password.</summary>',
          'public string UserName { get; set; }',
          '',
          '/// <summary>For all operations that take a name with a password.</summary>',
          'public string Password { get; set; }',
          '',
        ],
        kinds.has('apiKey') && [
          '/// <summary>The key for all operations that take an API key.</summary>',
          'public string ApiKey { get; set; }',
          '',
        ],
        keys.length > 1 && [
          xmlDocumentation({
            notes: [
              'Keys of single schemes, by their names.',
              `One of ${keys.map(({ key }) => `<c>${xmlLine(key)}</c>`).join(', ')}`,
            ],
          }),
          'public IDictionary<string, string> ApiKeys { get; } = new Dictionary<string, string>();',
          '',
        ],
        '/// <summary>For each whole call, the body of its answer too.</summary>',
        'public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);',
        '',
        '/// <summary>Headers of all requests.</summary>',
        'public IDictionary<string, string> Headers { get; } = new Dictionary<string, string>();',
        '',
        '/// <summary>',
        '/// What carries requests, with its own proxy and TLS. It must neither follow redirects, which could lead credentials elsewhere, nor',
        '/// keep cookies.',
        '/// </summary>',
        'public HttpMessageHandler Handler { get; set; }',
        '',
        credentials(context),
        '',
        checks,
      ],
      '    ',
    ),
    '}',
  ]);
}

function credentials({ model }: CsharpContext): Lines {
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  return [
    'internal Credentials NewCredentials()',
    '{',
    '    var credentials = new Credentials();',
    model.schemes.filter(({ kind }) => kind === 'apiKey').length > 1 && [
      '    foreach (var pair in ApiKeys)',
      '    {',
      '        credentials.ApiKey(pair.Key, pair.Value);',
      '    }',
    ],
    kinds.has('apiKey') && ['    if (ApiKey != null)', '    {', '        credentials.ApiKey(ApiKey);', '    }'],
    kinds.has('bearer') && [
      '    if (BearerToken != null)',
      '    {',
      '        credentials.Bearer(BearerToken);',
      '    }',
    ],
    kinds.has('basic') && [
      '    if (UserName != null && Password != null)',
      '    {',
      '        credentials.Basic(UserName, Password);',
      '    }',
    ],
    '    return credentials;',
    '}',
  ];
}

const checks = String.raw`internal string CheckedBaseUrl()
{
    if (!Uri.TryCreate(BaseUrl, UriKind.Absolute, out var address)
        || (address.Scheme != "http" && address.Scheme != "https")
        || address.UserInfo != "" || address.Query != "" || address.Fragment != "")
    {
        throw new ArgumentException("BaseUrl must be an http or https address without user, query and fragment");
    }
    return BaseUrl.TrimEnd('/');
}

internal TimeSpan CheckedTimeout()
{
    return Timeout > TimeSpan.Zero && Timeout.TotalMilliseconds <= int.MaxValue
        ? Timeout
        : throw new ArgumentException("Timeout must be above zero, and 24 days at most");
}

internal IReadOnlyDictionary<string, string> CheckedHeaders()
{
    var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
    foreach (var header in Headers)
    {
        headers[header.Key] = HeaderValues.Checked(header.Key, header.Value);
    }
    return headers;
}

internal HttpClient NewHttpClient()
{
    var handler = Handler ?? new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };
    for (var inner = handler; inner != null; inner = (inner as DelegatingHandler)?.InnerHandler)
    {
        if (IsOn(inner, "AllowAutoRedirect") || IsOn(inner, "UseCookies"))
        {
            throw new ArgumentException("Handler must neither follow redirects nor keep cookies");
        }
    }
    return new HttpClient(handler, Handler == null) { Timeout = System.Threading.Timeout.InfiniteTimeSpan };
}

/// <summary>Handlers have these properties in common, but no class that has them.</summary>
private static bool IsOn(HttpMessageHandler handler, string name)
{
    var property = handler.GetType().GetProperty(name, typeof(bool));
    return property != null && (bool)property.GetValue(handler);
}`;

/** The schemes of the description. */
export function schemeFile(context: CsharpContext): SdkFile {
  const fields = context.model.schemes.map((scheme) => {
    const [kind, name] =
      scheme.kind === 'apiKey'
        ? [`${scheme.place.charAt(0).toUpperCase()}${scheme.place.slice(1)}`, scheme.name]
        : [scheme.kind === 'bearer' ? 'Bearer' : 'Basic', ''];
    const field = context.schemes.get(scheme.key) ?? '';
    return {
      field,
      text: `public static readonly Scheme ${field} = new Scheme(SchemeKind.${kind}, ${csharpString(scheme.key)}, ${csharpString(name)});`,
    };
  });
  return sourceFile(
    context,
    'Internal',
    'Scheme',
    ['System.Collections.Generic'],
    [
      '/// <summary>What is sent, and for API keys where.</summary>',
      'internal enum SchemeKind',
      '{',
      '    Bearer,',
      '    Basic,',
      '    Header,',
      '    Query,',
      '    Cookie,',
      '}',
      '',
      '/// <summary>How a client can show who it is.</summary>',
      'internal sealed class Scheme',
      '{',
      indented(
        [
          fields.map(({ text }) => text),
          `public static readonly IReadOnlyList<Scheme> All = new[] { ${fields.map(({ field }) => field).join(', ')} };`,
          schemeMembers,
        ],
        '    ',
      ),
      '}',
    ],
  );
}

const schemeMembers = String.raw`
private Scheme(SchemeKind kind, string key, string name)
{
    Kind = kind;
    Key = key;
    Name = name;
}

public SchemeKind Kind { get; }

public string Key { get; }

/// <summary>Of the header, the parameter or the cookie.</summary>
public string Name { get; }

public bool IsApiKey => Kind != SchemeKind.Bearer && Kind != SchemeKind.Basic;

public string Checked(string secret)
{
    switch (Kind)
    {
        case SchemeKind.Cookie:
            return HeaderValues.CheckedCookie(Name, secret);
        case SchemeKind.Query:
            return secret;
        default:
            return HeaderValues.Checked(Name, secret);
    }
}

public void Add(string secret, IDictionary<string, string> headers, ICollection<string> query, ICollection<string> cookies)
{
    switch (Kind)
    {
        case SchemeKind.Header:
            headers[Name] = secret;
            break;
        case SchemeKind.Query:
            query.Add(Percent.Encode(Name) + "=" + Percent.Encode(secret));
            break;
        case SchemeKind.Cookie:
            cookies.Add(Name + "=" + secret);
            break;
        default:
            headers["Authorization"] = secret;
            break;
    }
}`;
