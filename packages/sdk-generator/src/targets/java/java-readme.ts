import { textOf } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import { markdownCode, markdownParagraphs, markdownText } from '../../source-text/markdown.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext } from './java-context.ts';
import { exampleOf } from './java-example.ts';
import { headOf } from './java-file.ts';
import { coordinatesOf } from './java-metadata.ts';
import { javaString } from './java-text.ts';

export function readmeFile(context: JavaContext): SdkFile {
  const { model } = context;
  return {
    path: 'README.md',
    text: textOf(
      `<!-- ${headOf(context)} -->`,
      `# ${markdownText(model.title)}: client for Java`,
      '',
      `Client of ${markdownText(model.title)} ${markdownText(model.version)} for Java 17 and later. It needs Jackson (jackson-databind) and nothing else.`,
      '',
      model.description !== undefined && [markdownParagraphs(model.description), ''],
      install(context),
      example(context),
      authentication(context),
      errors,
      '## Models',
      `Objects are immutable and made with builders (\`X.builder()\`, \`x.toBuilder()\`). What may be absent is an \`Optional\`. Enums are classes with constants, so`,
      'that values which the server adds later are kept. Types that are one of several are sealed interfaces. All of them can be used with an',
      '`ObjectMapper` of your own, too.',
      '',
      operations(context),
      license(context),
    ),
  };
}

function install({ packageName, options }: JavaContext): Lines {
  const { group, artifact } = coordinatesOf(packageName);
  return [
    '## Install',
    'Put it into your repository with `mvn install` (or `mvn deploy`), then depend on it:',
    '',
    '```xml',
    '<dependency>',
    `  <groupId>${group}</groupId>`,
    `  <artifactId>${artifact}</artifactId>`,
    `  <version>${options.packageVersion.replace(/[^\w.+-]/g, '')}</version>`,
    '</dependency>',
    '```',
    '',
  ];
}

function example(context: JavaContext): Lines {
  const { model, clientName, packageName } = context;
  const found = exampleOf(context);
  const calls = [
    ...(model.baseUrl === undefined ? ['.baseUrl("https://api.example.com")'] : []),
    ...credentialCalls(context).slice(0, 1),
  ];
  return [
    '## Example',
    '```java',
    [`${packageName}.ApiException`, `${packageName}.${clientName}`, ...(found?.imports ?? [])]
      .sort()
      .map((name) => `import ${name};`),
    '',
    'public class Example {',
    '    public static void main(String[] args) {',
    `        ${clientName} client = ${clientName}.builder()`,
    calls.map((call) => `                ${call}`),
    '                .build();',
    found !== undefined && [
      '        try {',
      found.hasResult ? `            System.out.println(${found.call});` : `            ${found.call};`,
      '        } catch (ApiException problem) {',
      '            System.err.println(problem.status() + " " + problem.body());',
      '        }',
    ],
    '    }',
    '}',
    '```',
    '',
    ...(model.baseUrl === undefined
      ? []
      : [`Calls go to ${markdownCode(model.baseUrl)}, or where \`baseUrl(…)\` says.`]),
    'A call takes 30 seconds at most, the body of its answer too; `timeout(…)` changes that. `header(…)` adds a header to all requests, and',
    '`httpClient(…)` takes an `HttpClient` with a proxy or TLS settings of yours. Clients are safe for use by several threads.',
    '',
  ];
}

function credentialCalls({ model }: JavaContext): readonly string[] {
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  const keys = model.schemes.filter(({ kind }) => kind === 'apiKey');
  return [
    ...(kinds.has('bearer') ? ['.bearerToken("token")'] : []),
    ...(kinds.has('apiKey') ? ['.apiKey("key")'] : []),
    ...(keys.length > 1 ? keys.map(({ key }) => `.apiKey(${javaString(key)}, "key")`) : []),
    ...(kinds.has('basic') ? ['.basicAuthentication("name", "password")'] : []),
  ];
}

function authentication(context: JavaContext): Lines {
  return [
    '## Authentication',
    'Options of the builder. An operation is called with the first combination of credentials that it takes and that was given; with none where',
    'there is no such one.',
    '',
    '```java',
    credentialCalls(context),
    '```',
    '',
  ];
}

const errors = [
  '## Errors',
  '| exception | when |',
  '| --- | --- |',
  '| `ApiException` | the status is not 200 to 299: `status()`, `headers()`, `body()`, `json()`. Redirects are not followed, and are errors too |',
  '| `ApiTimeoutException` | there was no whole answer in time |',
  '| `ApiConnectionException` | the connection failed, or the thread was interrupted |',
  '| `ApiDecodeException` | a good answer that is not as described: `place()` is a JSON Pointer into it |',
  '',
  'All of them are an `ApiClientException`.',
  '',
];

function operations({ groups }: JavaContext): Lines {
  return [
    '## Operations',
    '| method | request | what |',
    '| --- | --- | --- |',
    groups.flatMap(({ accessor, operations }) =>
      operations.map(
        ({ operation, method }) =>
          `| \`${accessor}().${method}\` | ${markdownCode(`${operation.method} ${operation.pathTemplate}`)} | ${operation.isDeprecated ? 'Deprecated. ' : ''}${markdownText(operation.summary ?? operation.description)} |`,
      ),
    ),
    '',
  ];
}

function license({ model: { license } }: JavaContext): Lines {
  return [
    '## Licence',
    license === undefined
      ? 'The description of the API names no licence.'
      : `The API is described under ${markdownText(license.name)}${license.url === undefined ? '' : ` (${markdownCode(license.url)})`}.`,
    'The generated code of this client may be used under any terms.',
  ];
}
