import { indented } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';
import type { JavaContext, JavaOperation } from './java-context.ts';
import { JavaFile } from './java-file.ts';
import { argumentsOf, argumentType } from './java-operations.ts';
import { javadoc } from './java-text.ts';

/** The class of what can be left out in calls of an operation; nothing where it has no such thing. */
export function optionsFile(
  context: JavaContext,
  { operation, method, optionsClass }: JavaOperation,
): readonly SdkFile[] {
  const optional = argumentsOf(operation).filter(({ isRequired }) => !isRequired);
  if (optional.length === 0) return [];
  const file = new JavaFile(context, 'api', optionsClass);
  return [
    file.finish(
      `/** What can be left out in calls of {@code ${method}}: {@code new ${optionsClass}().${optional[0]?.name ?? ''}(...)}. */`,
      context.hasDeprecated && '@SuppressWarnings("deprecation")',
      `public final class ${optionsClass} {`,
      indented(
        [
          optional.map((argument) => `${argumentType(file, operation, argument)} ${argument.name};`),
          optional.map((argument) => [
            '',
            javadoc({
              texts: [argument.description],
              notes: ['Null leaves it out.'],
              tags: argument.isDeprecated ? ['@deprecated as the description says'] : [],
            }),
            argument.isDeprecated && '@Deprecated',
            `public ${optionsClass} ${argument.name}(${argumentType(file, operation, argument)} value) {`,
            `    this.${argument.name} = value;`,
            '    return this;',
            '}',
          ]),
        ],
        '    ',
      ),
      '}',
    ),
  ];
}
