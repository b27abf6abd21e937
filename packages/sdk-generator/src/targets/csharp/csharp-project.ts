import { codeLicence } from '../../source-text/code-licence.ts';
import { textOf } from '../../source-text/lines.ts';
import { plainLines } from '../../source-text/plain-text.ts';
import type { SdkFile } from '../../target.ts';
import type { CsharpContext } from './csharp-context.ts';
import { headOf } from './csharp-file.ts';
import { xmlText } from './csharp-text.ts';

/** The project file, which is the description of the package too. */
export function projectFile(context: CsharpContext): SdkFile {
  const { model, options, namespaceName } = context;
  return {
    path: `${namespaceName}.csproj`,
    text: textOf(
      `<!-- ${headOf(context)} -->`,
      '<Project Sdk="Microsoft.NET.Sdk">',
      '  <PropertyGroup>',
      '    <TargetFramework>netstandard2.0</TargetFramework>',
      '    <LangVersion>7.3</LangVersion>',
      `    <RootNamespace>${namespaceName}</RootNamespace>`,
      `    <AssemblyName>${namespaceName}</AssemblyName>`,
      `    <PackageId>${namespaceName}</PackageId>`,
      `    <Version>${property(options.packageVersion)}</Version>`,
      `    <Title>${property(`${model.title} client`)}</Title>`,
      `    <Description>${property(`Client of ${model.title} ${model.version}`)}</Description>`,
      `    <PackageLicenseExpression>${codeLicence}</PackageLicenseExpression>`,
      '    <PackageReadmeFile>README.md</PackageReadmeFile>',
      '    <GenerateDocumentationFile>true</GenerateDocumentationFile>',
      '    <NoWarn>$(NoWarn);1591</NoWarn>',
      '    <Deterministic>true</Deterministic>',
      '  </PropertyGroup>',
      '  <ItemGroup>',
      '    <PackageReference Include="Newtonsoft.Json" Version="13.0.3" />',
      '    <None Include="README.md" Pack="true" PackagePath="\\" />',
      '    <None Include="LICENSE" Pack="true" PackagePath="\\" />',
      '  </ItemGroup>',
      '</Project>',
    ),
  };
}

/** One line of text as a property. MSBuild reads `$(…)`, `@(…)` and `%xx` in it, and would run what they say. */
function property(text: string): string {
  const line = plainLines(text).join(' ').trim();
  return xmlText(line.replace(/[%$@()';?*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`));
}
