import type { SdkOperation } from '../model/operations.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import type { Lines } from './lines.ts';
import { markdownCode, markdownText } from './markdown.ts';

/** The table of operations of a README. @param nameOf the method of an operation, as the language has it */
export function operationsSection(
  operations: readonly SdkOperation[],
  nameOf: (operation: SdkOperation, index: number) => string,
): Lines {
  return [
    '## Operations',
    '| method | request | what it does |',
    '| --- | --- | --- |',
    operations.map((operation, index) => {
      const request = markdownCode(`${operation.method} ${operation.pathTemplate}`);
      const deprecation = operation.isDeprecated ? 'Deprecated. ' : '';
      return `| \`${nameOf(operation, index)}\` | ${request} | ${deprecation}${markdownText(operation.summary)} |`;
    }),
  ];
}

/** What may be done with the API, and with the code. */
export function licenceSection({ license }: SdkModel): Lines {
  const url = license?.url === undefined ? '' : ` (${markdownCode(license.url)})`;
  return [
    '## Licence',
    license === undefined
      ? 'The description of the API states no licence.'
      : `The API is licensed under ${markdownText(license.name)}${url}.`,
    'The generated code itself may be used under any terms.',
  ];
}

/** Where keys are sent, each place once: `header X-API-Key, query parameter key`. */
export function keyPlaces({ schemes }: SdkModel): string {
  const kinds = { header: 'header', query: 'query parameter', cookie: 'cookie' } as const;
  const places = schemes.flatMap((scheme) =>
    scheme.kind === 'apiKey' ? [`${kinds[scheme.place]} ${markdownCode(scheme.name)}`] : [],
  );
  return [...new Set(places)].join(', ');
}
