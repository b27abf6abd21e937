import { credentialsForExample } from '../../model/example-operation.ts';
import { textOf } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import { markdownCode, markdownParagraphs, markdownText } from '../../source-text/markdown.ts';
import { authenticationSection, licenceSection, operationsSection } from '../../source-text/readme-sections.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { exampleOf } from './csharp-example.ts';
import { headOf } from './csharp-file.ts';

export function readmeFile(context: CsharpContext): SdkFile {
  const { model } = context;
  const names = new Map(
    context.groups.flatMap(({ accessor, operations }) =>
      operations.map(({ operation, method }) => [operation, `${accessor}.${method}`]),
    ),
  );
  return {
    path: 'README.md',
    text: textOf(
      `<!-- ${headOf(context)} -->`,
      `# ${markdownText(model.title)}: client for .NET`,
      '',
      `Client of ${markdownText(model.title)} ${markdownText(model.version)} for everything that takes .NET Standard 2.0. It needs Newtonsoft.Json and nothing else.`,
      '',
      model.description !== undefined && [markdownParagraphs(model.description), ''],
      '## Install',
      `Make a package of it with \`dotnet pack\`, put it where your packages are, then run \`dotnet add package ${context.namespaceName}\`. Or refer to the project:`,
      `\`dotnet add reference ${context.namespaceName}.csproj\`.`,
      '',
      example(context),
      authenticationSection(model, {
        bearer: '`BearerToken`',
        apiKey: '`ApiKey`',
        apiKeys: '`ApiKeys`',
        basic: '`UserName`, `Password`',
      }),
      '',
      errors,
      '## Models',
      'Properties that may be absent can be null, and are then not sent; where null means something else than absence, `HasX` tells which it is. Enums are',
      'classes with constants, so that values which the server adds later are kept. Types that are one of several are interfaces.',
      'Models can be read and written with a `JsonSerializer` of Newtonsoft.Json, too.',
      '',
      operationsSection(model.operations, (operation) => names.get(operation) ?? ''),
      '',
      licenceSection(model),
    ),
  };
}

/** Options in an example. */
const credentials = {
  bearer: 'BearerToken = "token"',
  apiKey: 'ApiKey = "key"',
  basic: 'UserName = "name", Password = "password"',
};

function example(context: CsharpContext): Lines {
  const { model, clientName, namespaceName } = context;
  const found = exampleOf(context);
  const options = [
    ...(model.baseUrl === undefined ? ['BaseUrl = "https://api.example.com"'] : []),
    ...credentialsForExample(model, found?.operation).map((kind) => credentials[kind]),
  ];
  const awaited = found === undefined ? '' : `await ${found.call}`;
  return [
    '## Example',
    '```csharp',
    'using System;',
    'using System.Threading.Tasks;',
    `using ${namespaceName};`,
    '',
    'public static class Example',
    '{',
    '    public static async Task RunAsync()',
    '    {',
    `        var options = new ${clientName}Options${options.length === 0 ? '()' : ` { ${options.join(', ')} }`};`,
    `        using (var client = new ${clientName}(options))`,
    '        {',
    '            try',
    '            {',
    found !== undefined && found.operation.result.kind !== 'none'
      ? [
          `                var answer = ${awaited};`,
          '                Console.WriteLine(Newtonsoft.Json.JsonConvert.SerializeObject(answer));',
        ]
      : `                ${found === undefined ? 'await Task.Delay(0)' : awaited};`,
    '            }',
    '            catch (ApiException problem)',
    '            {',
    '                Console.Error.WriteLine(problem.StatusCode + " " + problem.Body);',
    '            }',
    '        }',
    '    }',
    '}',
    '```',
    '',
    ...(model.baseUrl === undefined ? [] : [`Calls go to ${markdownCode(model.baseUrl)}, or where \`BaseUrl\` says.`]),
    'A call takes 30 seconds at most, the body of its answer too; `Timeout` changes that. `Headers` are sent with all requests, and `Handler` takes an',
    '`HttpMessageHandler` with a proxy or TLS settings of yours. Clients are safe for use by several threads.',
    '',
  ];
}

const errors = [
  '## Errors',
  '| exception | when |',
  '| --- | --- |',
  '| `ApiException` | the status is not 200 to 299: `StatusCode`, `Headers`, `Body`, `Json`. Redirects are not followed, and are errors too |',
  '| `ApiTimeoutException` | there was no whole answer in time |',
  '| `ApiConnectionException` | the connection failed |',
  '| `ApiDecodeException` | a good answer that is not as described: `Place` is a JSON Pointer into it |',
  '| `OperationCanceledException` | the `CancellationToken` of the call |',
  '',
  'All of them but the last are an `ApiClientException`.',
  '',
];
