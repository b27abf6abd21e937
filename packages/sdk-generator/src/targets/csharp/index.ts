import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/casing.ts';
import { deviceNames } from '../../names/device-names.ts';
import { wordsOf } from '../../names/words.ts';
import { linesOf } from '../../source-text/lines.ts';
import type { SdkFile, SdkTarget, TargetOptions } from '../../target.ts';
import { clientFile, optionsFile, schemeFile } from './csharp-client.ts';
import { csharpContext } from './csharp-context.ts';
import { enumFile } from './csharp-enums.ts';
import { sourceFile } from './csharp-file.ts';
import { objectFile } from './csharp-objects.ts';
import { groupFile } from './csharp-operations.ts';
import { projectFile } from './csharp-project.ts';
import { readmeFile } from './csharp-readme.ts';
import { unionFile } from './csharp-unions.ts';
import { credentialTemplates } from './runtime/credentials.ts';
import { encodingTemplates } from './runtime/encoding.ts';
import { exceptionTemplates } from './runtime/exceptions.ts';
import { formTemplates } from './runtime/forms.ts';
import { modelTemplates } from './runtime/models.ts';
import { readTemplates } from './runtime/read.ts';
import { readUnionTemplates } from './runtime/read-unions.ts';
import { requestTemplates } from './runtime/requests.ts';
import { transportTemplates } from './runtime/transport.ts';
import { writeTemplates } from './runtime/write.ts';

/** Devices of Windows, in any case. */
const devices = deviceNames.map((name) => name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`));

/** Characters of a namespace, which is the name of a file, too. */
const nameLengthMax = 100;
/** A segment of a namespace: none that would hide one that generated code uses, and a folder everywhere. */
const segment = `(?!(?:System|Microsoft|Newtonsoft|Models|Api|Internal|${devices.join('|')})(?:\\.|$))[A-Z][A-Za-z0-9]{0,39}`;

/** C# 7.3 for .NET Standard 2.0 with HttpClient and Newtonsoft.Json. */
export const csharp: SdkTarget<Iterable<SdkFile>> = {
  packageName: {
    pattern: new RegExp(`^(?=.{1,${nameLengthMax}}$)${segment}(?:\\.${segment}){0,7}$`),
    rule: `must be a namespace of one to eight segments such as Acme.Petstore, each an upper-case letter with letters and digits behind, of at most ${nameLengthMax} characters`,
    suggest: ({ title }) => `${pascalCase(wordsOf(title)).slice(0, 37)}Sdk`,
  },
  generate: (model, options) => generate(model, options),
};

function* generate(model: SdkModel, options: TargetOptions): Generator<SdkFile, void> {
  const context = csharpContext(model, options);
  const templates = [
    ...readTemplates,
    ...readUnionTemplates,
    ...writeTemplates,
    ...modelTemplates,
    ...exceptionTemplates,
    ...requestTemplates,
    ...encodingTemplates,
    ...transportTemplates,
    ...credentialTemplates,
    ...formTemplates,
  ];
  yield projectFile(context);
  yield readmeFile(context);
  yield clientFile(context);
  yield optionsFile(context);
  yield schemeFile(context);
  for (const { subNamespace, name, usings, body } of templates) {
    yield sourceFile(context, subNamespace, name, usings, linesOf(body));
  }
  for (const type of model.types) {
    if (type.kind === 'object') yield objectFile(context, type);
    else yield type.kind === 'enum' ? enumFile(context, type) : unionFile(context, type);
  }
  for (const group of context.groups) yield groupFile(context, group);
}
