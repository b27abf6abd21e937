import { credentialsForExample } from '../../model/example-operation.ts';
import { textOf } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import { markdownCode, markdownParagraphs, markdownText } from '../../source-text/markdown.ts';
import { authenticationSection, licenceSection, operationsSection } from '../../source-text/readme-sections.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext } from './java-context.ts';
import { exampleOf } from './java-example.ts';
import { headOf } from './java-file.ts';
import { coordinatesOf } from './java-metadata.ts';

export function readmeFile(context: JavaContext): SdkFile {
  const { model } = context;
  const names = new Map(
    context.groups.flatMap(({ accessor, operations }) =>
      operations.map(({ operation, method }) => [operation, `${accessor}().${method}`]),
    ),
  );
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
      authenticationSection(model, {
        bearer: '`bearerToken(token)`',
        apiKey: '`apiKey(key)`',
        apiKeys: '`apiKey(scheme, key)`',
        basic: '`basicAuthentication(name, password)`',
      }),
      '',
      errors,
      '## Models',
      `Objects are immutable and made with builders (\`X.builder()\`, \`x.toBuilder()\`). What may be absent is an \`Optional\`. Enums are classes with constants, so`,
      'that values which the server adds later are kept. Types that are one of several are sealed interfaces. All of them can be used with an',
      '`ObjectMapper` of your own, too.',
      '',
      operationsSection(model.operations, (operation) => names.get(operation) ?? ''),
      '',
      licenceSection(model),
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

/** Of the builder, in an example. */
const credentials = {
  bearer: '.bearerToken("token")',
  apiKey: '.apiKey("key")',
  basic: '.basicAuthentication("name", "password")',
};

function example(context: JavaContext): Lines {
  const { model, clientName, packageName } = context;
  const found = exampleOf(context);
  const calls = [
    ...(model.baseUrl === undefined ? ['.baseUrl("https://api.example.com")'] : []),
    ...credentialsForExample(model, found?.operation).map((kind) => credentials[kind]),
  ];
  return [
    '## Example',
    '```java',
    [`${packageName}.ApiException`, `${packageName}.${clientName}`, ...(found?.call.imports ?? [])]
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
      found.operation.result.kind === 'none'
        ? `            ${found.call.text};`
        : `            System.out.println(${found.call.text});`,
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
