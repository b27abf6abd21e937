import { deviceNames } from '../../names/device-names.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { SdkFile, SdkTarget, TargetOptions } from '../../target.ts';
import { clientFile, schemeFile } from './java-client.ts';
import { javaContext } from './java-context.ts';
import type { JavaContext } from './java-context.ts';
import { enumFile } from './java-enums.ts';
import { sourceFile } from './java-file.ts';
import { pomFile } from './java-metadata.ts';
import { packageSegmentOf, reservedWords } from './java-names.ts';
import { objectFile } from './java-objects.ts';
import { groupFile } from './java-operations.ts';
import { optionsFile } from './java-options.ts';
import { readmeFile } from './java-readme.ts';
import { unionFile } from './java-unions.ts';
import { apiRequestText, headerValuesText, textsText } from './runtime/api-request.ts';
import { credentialsText } from './runtime/credentials.ts';
import { exceptionTexts } from './runtime/exceptions.ts';
import { filePartText, formDataText } from './runtime/form-data.ts';
import { jsonReaderText } from './runtime/json-reader.ts';
import { jsonWriterText } from './runtime/json-writer.ts';
import { transportText } from './runtime/transport.ts';
import { parameterStyleText, percentText } from './runtime/parameter-styles.ts';

/** Characters of a package's name, which is in the path of each file. */
const nameLengthMax = 100;
/** A segment of a package that is no word of the language, and a folder everywhere. */
const segment = `(?!(?:${[...reservedWords, ...deviceNames].join('|')})(?:\\.|$))[a-z][a-z0-9_]{0,39}`;

/** Java 17 with `java.net.http` and Jackson. */
export const java: SdkTarget<Iterable<SdkFile>> = {
  packageName: {
    pattern: new RegExp(`^(?=.{1,${nameLengthMax}}$)(?!(?:java|javax|jdk|sun)\\.)${segment}(?:\\.${segment}){1,7}$`),
    rule: `must be a Java package of two to eight lower-case segments such as com.acme.petstore: the last one is the artifact, the others are its group, the first one is none of the JDK, and all have at most ${nameLengthMax} characters`,
    suggest: ({ title }) => `com.example.${packageSegmentOf(title)}`,
  },
  generate: (model, options) => generate(model, options),
};

function* generate(model: SdkModel, options: TargetOptions): Generator<SdkFile, void> {
  const context = javaContext(model, options);
  yield pomFile(context);
  yield readmeFile(context);
  yield clientFile(context);
  yield schemeFile(context);
  yield* staticFiles(context);
  for (const type of model.types) {
    if (type.kind === 'object') yield objectFile(context, type);
    else yield type.kind === 'enum' ? enumFile(context, type) : unionFile(context, type);
  }
  for (const group of context.groups) {
    yield groupFile(context, group);
    for (const operation of group.operations) yield* optionsFile(context, operation);
  }
}

/** What is the same in every library. */
function staticFiles(context: JavaContext): readonly SdkFile[] {
  const { packageName } = context;
  const internal = {
    ApiRequest: apiRequestText,
    Credentials: credentialsText,
    FormData: formDataText,
    HeaderValues: headerValuesText,
    JsonReader: jsonReaderText,
    JsonWriter: jsonWriterText,
    ParameterStyle: parameterStyleText,
    Percent: percentText,
    Texts: textsText,
    Transport: transportText,
  };
  return [
    ...exceptionTexts.map(({ name, text }) => sourceFile(context, packageName, name, text(packageName))),
    sourceFile(context, packageName, 'FilePart', filePartText(packageName)),
    ...Object.entries(internal).map(([name, text]) =>
      sourceFile(context, `${packageName}.internal`, name, text(packageName)),
    ),
  ];
}
