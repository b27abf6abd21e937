import type { SdkOperation } from '../model/operations.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { codeLicence } from './code-licence.ts';
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
      const about = markdownText(operation.summary ?? operation.description?.split('\n')[0]);
      return `| \`${nameOf(operation, index)}\` | ${request} | ${deprecation}${about} |`;
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
    `The generated code itself may be used under any terms: it is licensed under ${codeLicence}, whose text is in \`LICENSE\`.`,
  ];
}

/** What options for credentials are called in a language, as Markdown. */
export interface CredentialNames {
  readonly bearer: string;
  readonly apiKey: string;
  /** For single schemes. */
  readonly apiKeys: string;
  readonly basic: string;
}

/** How a client shows who it is. @param more sentences of one language */
export function authenticationSection(model: SdkModel, names: CredentialNames, more: Lines = false): Lines {
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  const keys = model.schemes.filter(({ kind }) => kind === 'apiKey').map(({ key }) => markdownCode(key));
  return [
    '## Authentication',
    '| option | what it is |',
    '| --- | --- |',
    kinds.has('bearer') && `| ${names.bearer} | sent as \`Authorization: Bearer\` |`,
    kinds.has('apiKey') && `| ${names.apiKey} | sent as ${keyPlaces(model)} |`,
    keys.length > 1 && `| ${names.apiKeys} | keys by scheme, where they differ: ${keys.join(', ')} |`,
    kinds.has('basic') && `| ${names.basic} | a name and a password, sent as \`Authorization: Basic\` |`,
    '',
    'An operation sends the first of its alternatives that the client has credentials for. Redirects are not followed: credentials',
    'go nowhere else.',
    more,
  ];
}

/** Where keys are sent, each place once: `header X-API-Key, query parameter key`. */
function keyPlaces({ schemes }: SdkModel): string {
  const kinds = { header: 'header', query: 'query parameter', cookie: 'cookie' } as const;
  const places = schemes.flatMap((scheme) =>
    scheme.kind === 'apiKey' ? [`${kinds[scheme.place]} ${markdownCode(scheme.name)}`] : [],
  );
  return [...new Set(places)].join(', ');
}
