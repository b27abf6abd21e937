import { checkShape } from './document/check-shape.ts';
import { fieldOf, isObject, textField } from './document/json-values.ts';
import type { JsonObject } from './document/json-values.ts';
import { refuseRemoteReferences } from './document/references.ts';
import { readOperations } from './operations/read-operations.ts';
import type { Operation } from './operations/read-operations.ts';
import { securityOf } from './operations/security.ts';
import { serversOf } from './operations/servers.ts';
import type { Server } from './operations/servers.ts';
import { ProblemList } from './problem.ts';
import type { DescriptionProblem } from './problem.ts';

/** Versions of the specification that are read. */
const versions = ['3.0', '3.1', '3.2'] as const;

/** What a description says, in one form for all versions. */
export interface Description {
  readonly version: (typeof versions)[number];
  readonly title: string;
  /** Version of the API, not of the specification. */
  readonly apiVersion: string;
  /** Those of the description itself. `/`, which is relative, where it names none. Source: OpenAPI 3.1, OpenAPI Object. */
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  /** The document as it was given. */
  readonly document: JsonObject;
}

/** A description, or all that is wrong with it, up to a bound. */
export type DescriptionReading =
  | { readonly ok: true; readonly description: Description }
  | { readonly ok: false; readonly problems: readonly DescriptionProblem[] };

/**
 * Reads a document that nobody vouches for as an OpenAPI description 3.0, 3.1 or 3.2. Only what tells operations, servers and
 * parameters is checked: schemas, request bodies and responses stay as they are. References are followed inside of the document
 * alone; one that leads out of it is a problem wherever it stands.
 */
export function readDescription(document: unknown): DescriptionReading {
  const problems = new ProblemList();
  if (!checkShape(document, problems)) return { ok: false, problems: problems.list() };
  const description = isObject(document) ? read(document, problems) : undefined;
  if (!isObject(document)) problems.add('', 'type', 'must be an object');
  const found = problems.list();
  return description && found.length === 0 ? { ok: true, description } : { ok: false, problems: found };
}

function read(document: JsonObject, problems: ProblemList): Description | undefined {
  const version = versionOf(document, problems);
  if (version === undefined) return undefined;
  const info = fieldOf(document, 'info');
  if (!isObject(info)) problems.add('/info', 'required', 'must be an object with title and version');
  const servers = serversOf(document, '', problems) ?? [{ url: '/', description: undefined, pointer: '' }];
  const security = securityOf(document, document, '', problems) ?? [];
  const operations = readOperations(document, { isAtLeast32: version === '3.2', servers, security }, problems);
  refuseRemoteReferences(document, problems);
  const text = (name: string): string => (isObject(info) ? (textField(info, name) ?? '') : '');
  return { version, title: text('title'), apiVersion: text('version'), servers, operations, document };
}

function versionOf(document: JsonObject, problems: ProblemList): Description['version'] | undefined {
  if (fieldOf(document, 'swagger') !== undefined) {
    problems.add('/swagger', 'version', 'Swagger 2.0 is not read: convert the description to OpenAPI 3 first');
    return undefined;
  }
  const given = fieldOf(document, 'openapi');
  const version = versions.find((known) => typeof given === 'string' && new RegExp(`^${known}(?:\\.|$)`).test(given));
  if (version === undefined) problems.add('/openapi', 'version', `must be a version of ${versions.join(', ')}`);
  return version;
}
