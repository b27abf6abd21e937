import { indented, textOf } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext } from './java-context.ts';
import { JavaFile, sourceFile } from './java-file.ts';
import { javadoc, javadocLine, javaString } from './java-text.ts';

/** The class that everything begins with: options, and the groups of operations. */
export function clientFile(context: JavaContext): SdkFile {
  const { model, clientName, groups } = context;
  const file = new JavaFile(context, '', clientName);
  const transport = file.useOwn('internal', 'Transport');
  const classes = groups.map((group) => ({ ...group, className: file.useOwn('api', group.className) }));
  return file.finish(
    javadoc({
      texts: [`${model.title} ${model.version}`, model.description],
      notes: ['Safe for use by several threads: make one and keep it.'],
    }),
    `public final class ${clientName} {`,
    indented(
      [
        classes.map(({ className }, index) => `private final ${className} group${String(index)};`),
        '',
        `private ${clientName}(${transport} transport) {`,
        classes.map(({ className }, index) => `    this.group${String(index)} = new ${className}(transport);`),
        '}',
        '',
        'public static Builder builder() {',
        '    return new Builder();',
        '}',
        classes.map(({ className, accessor, tag }, index) => [
          '',
          `/** ${tag === undefined ? 'Operations.' : `Operations of ${javadocLine(tag)}.`} */`,
          `public ${className} ${accessor}() {`,
          `    return group${String(index)};`,
          '}',
        ]),
        '',
        builder(file, context, transport),
      ],
      '    ',
    ),
    '}',
  );
}

function builder(file: JavaFile, { model, clientName }: JavaContext, transport: string): Lines {
  const credentials = file.useOwn('internal', 'Credentials');
  const values = file.useOwn('internal', 'HeaderValues');
  const [duration, client, uri] = ['java.time.Duration', 'java.net.http.HttpClient', 'java.net.URI'].map((name) =>
    file.use(name),
  );
  const [map, linked, objects] = ['java.util.Map', 'java.util.LinkedHashMap', 'java.util.Objects'].map((name) =>
    file.use(name),
  );
  return [
    '/** Options of a client. */',
    'public static final class Builder {',
    indented(
      [
        `private String baseUrl${model.baseUrl === undefined ? '' : ` = ${javaString(model.baseUrl)}`};`,
        `private ${duration ?? ''} timeout = Duration.ofSeconds(30);`,
        `private ${client ?? ''} httpClient;`,
        `private final ${map ?? ''}<String, String> headers = new ${linked ?? ''}<>();`,
        `private final ${credentials} credentials = new ${credentials}();`,
        '',
        'private Builder() {}',
        '',
        javadoc({
          notes: [
            'Where the API is: what all paths of operations are put behind.',
            ...(model.baseUrl === undefined
              ? ['It has to be given.']
              : [`Without it: <code>${javadocLine(model.baseUrl)}</code>`]),
          ],
        }),
        'public Builder baseUrl(String value) {',
        `    ${uri ?? ''} address = URI.create(value);`,
        '    boolean isHttp = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());',
        '    if (!isHttp || address.getHost() == null || address.getRawUserInfo() != null',
        '            || address.getRawQuery() != null || address.getRawFragment() != null) {',
        '        throw new IllegalArgumentException("The base URL must be an http or https address without user, query and fragment");',
        '    }',
        '    this.baseUrl = value.replaceAll("/+$", "");',
        '    return this;',
        '}',
        credentialSetters(model.schemes),
        '',
        '/** For each whole call, the body of its answer too. Without it: 30 seconds. */',
        'public Builder timeout(Duration value) {',
        '    if (value.toMillis() <= 0) {',
        '        throw new IllegalArgumentException("The timeout must be a millisecond or more");',
        '    }',
        '    this.timeout = value;',
        '    return this;',
        '}',
        '',
        '/** A header of all requests. */',
        'public Builder header(String name, String value) {',
        `    headers.put(name, ${values}.checked(name, value));`,
        '    return this;',
        '}',
        '',
        '/** What carries requests, with its own proxy, TLS and pool. It must not follow redirects: they could lead credentials elsewhere. */',
        'public Builder httpClient(HttpClient value) {',
        '    if (value.followRedirects() != HttpClient.Redirect.NEVER) {',
        '        throw new IllegalArgumentException("The HTTP client must not follow redirects");',
        '    }',
        '    this.httpClient = value;',
        '    return this;',
        '}',
        '',
        `public ${clientName} build() {`,
        `    ${objects ?? ''}.requireNonNull(baseUrl, "baseUrl");`,
        '    HttpClient carrier = httpClient == null',
        '            ? HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).connectTimeout(timeout).build()',
        '            : httpClient;',
        `    return new ${clientName}(new ${transport}(carrier, baseUrl, timeout, headers, credentials.copy()));`,
        '}',
      ],
      '    ',
    ),
    '}',
  ];
}

function credentialSetters(schemes: JavaContext['model']['schemes']): Lines {
  const kinds = new Set(schemes.map(({ kind }) => kind));
  const keys = schemes.filter(({ kind }) => kind === 'apiKey');
  return [
    kinds.has('bearer') && [
      '',
      '/** The token for all operations that take a bearer token. */',
      'public Builder bearerToken(String token) {',
      '    credentials.bearer(token);',
      '    return this;',
      '}',
    ],
    kinds.has('basic') && [
      '',
      '/** For all operations that take a name with a password. */',
      'public Builder basicAuthentication(String name, String password) {',
      '    credentials.basic(name, password);',
      '    return this;',
      '}',
    ],
    kinds.has('apiKey') && [
      '',
      '/** The key for all operations that take an API key. */',
      'public Builder apiKey(String key) {',
      '    credentials.apiKey(key);',
      '    return this;',
      '}',
    ],
    keys.length > 1 && [
      '',
      javadoc({
        notes: ['The key of one scheme only.'],
        tags: [`@param scheme one of ${keys.map(({ key }) => `<code>${javadocLine(key)}</code>`).join(', ')}`],
      }),
      'public Builder apiKey(String scheme, String key) {',
      '    credentials.apiKey(scheme, key);',
      '    return this;',
      '}',
    ],
  ];
}

/** `Scheme.java`: the schemes of the description. */
export function schemeFile(context: JavaContext): SdkFile {
  const constants = context.model.schemes.map((scheme) => {
    const [kind, name] =
      scheme.kind === 'apiKey' ? [scheme.place.toUpperCase(), scheme.name] : [scheme.kind.toUpperCase(), ''];
    return `${context.schemes.get(scheme.key) ?? ''}(Kind.${kind}, ${javaString(scheme.key)}, ${javaString(name)})`;
  });
  const packageName = `${context.packageName}.internal`;
  return sourceFile(
    context,
    packageName,
    'Scheme',
    textOf(
      `package ${packageName};`,
      '',
      'import java.util.List;',
      'import java.util.Map;',
      '',
      '/** How a client can show who it is. Not for use outside of this library: it may change at any time. */',
      'public enum Scheme {',
      indented(
        constants.map((text, index) => `${text}${index < constants.length - 1 ? ',' : ';'}`),
        '    ',
      ),
      schemeMembers,
    ),
  );
}

const schemeMembers = String.raw`
    /** What is sent, and for API keys where. */
    enum Kind { BEARER, BASIC, HEADER, QUERY, COOKIE }

    private final Kind kind;
    private final String key;
    private final String name;

    Scheme(Kind kind, String key, String name) {
        this.kind = kind;
        this.key = key;
        this.name = name;
    }

    Kind kind() {
        return kind;
    }

    String key() {
        return key;
    }

    boolean isApiKey() {
        return kind != Kind.BEARER && kind != Kind.BASIC;
    }

    String checked(String secret) {
        return switch (kind) {
            case COOKIE -> HeaderValues.checkedCookie(name, secret);
            case QUERY -> secret;
            default -> HeaderValues.checked(name, secret);
        };
    }

    void add(String secret, Map<String, String> headers, List<String> query, List<String> cookies) {
        switch (kind) {
            case BEARER, BASIC -> headers.put("Authorization", secret);
            case HEADER -> headers.put(name, secret);
            case QUERY -> query.add(Percent.encode(name) + "=" + Percent.encode(secret));
            case COOKIE -> cookies.add(name + "=" + secret);
        }
    }
}`;
