import { codeLicence } from '../../source-text/code-licence.ts';
import { plainLines } from '../../source-text/plain-text.ts';
import { textOf } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext } from './java-context.ts';
import { headOf } from './java-file.ts';

/** Jackson's line of long support; anything later of version 2 does as well. */
const jacksonVersion = '2.18.2';

/** `com.acme.petstore` is the artifact `petstore` of the group `com.acme`. */
export function coordinatesOf(packageName: string): { readonly group: string; readonly artifact: string } {
  const parts = packageName.split('.');
  return { group: parts.slice(0, -1).join('.'), artifact: (parts.at(-1) ?? '').replaceAll('_', '-') };
}

export function pomFile(context: JavaContext): SdkFile {
  const { group, artifact } = coordinatesOf(context.packageName);
  const { model, options } = context;
  return {
    path: 'pom.xml',
    text: textOf(
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<!-- ${headOf(context)} -->`,
      '<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
      '         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">',
      '  <modelVersion>4.0.0</modelVersion>',
      `  <groupId>${xmlText(group)}</groupId>`,
      `  <artifactId>${xmlText(artifact)}</artifactId>`,
      `  <version>${xmlText(options.packageVersion)}</version>`,
      '  <packaging>jar</packaging>',
      `  <name>${xmlText(`${model.title} client`)}</name>`,
      `  <description>${xmlText(`Client of ${model.title} ${model.version}`)}</description>`,
      '  <licenses>',
      '    <license>',
      `      <name>${codeLicence}</name>`,
      `      <url>https://spdx.org/licenses/${codeLicence}.html</url>`,
      '      <distribution>repo</distribution>',
      '    </license>',
      '  </licenses>',
      '  <properties>',
      '    <maven.compiler.release>17</maven.compiler.release>',
      '    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>',
      '  </properties>',
      '  <dependencies>',
      '    <dependency>',
      '      <groupId>com.fasterxml.jackson.core</groupId>',
      '      <artifactId>jackson-databind</artifactId>',
      `      <version>${jacksonVersion}</version>`,
      '    </dependency>',
      '  </dependencies>',
      '  <build>',
      '    <plugins>',
      '      <plugin>',
      '        <groupId>org.apache.maven.plugins</groupId>',
      '        <artifactId>maven-compiler-plugin</artifactId>',
      '        <version>3.13.0</version>',
      '      </plugin>',
      '    </plugins>',
      '  </build>',
      '</project>',
    ),
  };
}

/** One line of text in an element. Maven replaces `${...}` in it, so that a dollar sign does not get there as one. */
function xmlText(text: string): string {
  return plainLines(text)
    .join(' ')
    .replace(/[\uFFFE\uFFFF]/g, ' ')
    .replaceAll('$', '\uFF04')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
