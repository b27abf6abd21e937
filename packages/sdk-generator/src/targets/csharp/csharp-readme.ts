import { textOf } from '../../source-text/lines.ts';
import type { Lines } from '../../source-text/lines.ts';
import { markdownCode, markdownParagraphs, markdownText } from '../../source-text/markdown.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { exampleOf } from './csharp-example.ts';
import { headOf } from './csharp-file.ts';
import { csharpString } from './csharp-text.ts';

export function readmeFile(context: CsharpContext): SdkFile {
  const { model } = context;
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
      authentication(context),
      errors,
      '## Models',
      'Properties that may be absent can be null, and are then not sent; where null means something else than absence, `HasX` tells which it is. Enums are',
      'classes with constants, so that values which the server adds later are kept. Types that are one of several are interfaces.',
      'Models can be read and written with a `JsonSerializer` of Newtonsoft.Json, too.',
      '',
      operations(context),
      license(context),
    ),
  };
}

function example(context: CsharpContext): Lines {
  const { model, clientName, namespaceName } = context;
  const found = exampleOf(context);
  const options = [
    ...(model.baseUrl === undefined ? ['BaseUrl = "https://api.example.com"'] : []),
    ...credentialOptions(context).slice(0, 1),
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
    `        var options = new ${clientName}Options { ${options.join(', ')} };`,
    `        using (var client = new ${clientName}(options))`,
    '        {',
    '            try',
    '            {',
    found?.hasResult === true
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

function credentialOptions({ model }: CsharpContext): readonly string[] {
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  const keys = model.schemes.filter(({ kind }) => kind === 'apiKey');
  return [
    ...(kinds.has('bearer') ? ['BearerToken = "token"'] : []),
    ...(kinds.has('apiKey') ? ['ApiKey = "key"'] : []),
    ...(keys.length > 1 ? [`ApiKeys = { ${keys.map(({ key }) => `[${csharpString(key)}] = "key"`).join(', ')} }`] : []),
    ...(kinds.has('basic') ? ['UserName = "name"', 'Password = "password"'] : []),
  ];
}

function authentication(context: CsharpContext): Lines {
  return [
    '## Authentication',
    'Options of the client. An operation is called with the first combination of credentials that it takes and that was given; with none where there is',
    'no such one.',
    '',
    '```csharp',
    `new ${context.clientName}Options`,
    '{',
    credentialOptions(context).map((option) => `    ${option},`),
    '}',
    '```',
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

function operations({ groups }: CsharpContext): Lines {
  return [
    '## Operations',
    '| method | request | what |',
    '| --- | --- | --- |',
    groups.flatMap(({ accessor, operations }) =>
      operations.map(
        ({ operation, method }) =>
          `| \`${accessor}.${method}\` | ${markdownCode(`${operation.method} ${operation.pathTemplate}`)} | ${operation.isDeprecated ? 'Deprecated. ' : ''}${markdownText(operation.summary ?? operation.description)} |`,
      ),
    ),
    '',
  ];
}

function license({ model: { license } }: CsharpContext): Lines {
  return [
    '## Licence',
    license === undefined
      ? 'The description of the API names no licence.'
      : `The API is described under ${markdownText(license.name)}${license.url === undefined ? '' : ` (${markdownCode(license.url)})`}.`,
    'The generated code of this client may be used under any terms.',
  ];
}
