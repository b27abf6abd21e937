import type { IncomingMessage } from 'node:http';
import { BodyBudget, type BodyShare } from './body-budget.ts';
import type { BodyDescription } from './operation.ts';
import { validate } from './field-problems.ts';
import { type FieldProblem, Problem } from './problem.ts';
import { type BodyPace, readBody, unpackGzip } from './read-body.ts';
import { readDocumentAside } from './read-document-in-thread.ts';

/** Largest body of operations that do not say otherwise. Source: decisions, 15. */
const standardBodyBytesMax = 1024 * 1024;

/** A body that was read. */
export interface BodyInput {
  readonly value: unknown;
  /** Of the document as it was sent; empty when it was not asked for, or there is none. See `documentDigest`. */
  readonly digest: string;
}

/** Of the process: some bodies of the largest kind of one caller, more of all. Small bodies are always read. */
const budget = new BodyBudget({ totalMax: 536_870_912, callerMax: 150_994_944, freeMax: 65_536 });

/** How a body is read. */
export interface BodyWishes {
  readonly isYamlAsked: boolean;
  readonly pace: BodyPace;
  readonly withDigest: boolean;
  /** Who sends it: whose share of memory and threads it takes. */
  readonly caller: string;
}

const noBody: BodyInput = { value: undefined, digest: '' };

/** Reads, parses and validates a request's body as its operation declares it. @throws Problem for whatever is wrong */
export async function bodyInput(
  incoming: IncomingMessage,
  description: BodyDescription,
  wishes: BodyWishes,
): Promise<BodyInput> {
  const share = budget.share(wishes.caller);
  try {
    return await readInput(incoming, description, wishes, share);
  } finally {
    share.giveBack();
  }
}

async function readInput(
  incoming: IncomingMessage,
  description: BodyDescription,
  wishes: BodyWishes,
  share: BodyShare,
): Promise<BodyInput> {
  const { headers } = incoming;
  const bytesMax = description.bytesMax ?? standardBodyBytesMax;
  if (description.optional && hasNoBody(incoming)) return noBody;
  const syntax = syntaxOf(headers['content-type'], description, wishes.isYamlAsked);
  const isPacked = isGzip(headers['content-encoding'], description);
  const received = await readBody(incoming, {
    bytesMax,
    contentLength: headers['content-length'],
    pace: wishes.pace,
    share,
  });
  if (received.length === 0) {
    if (description.optional) return noBody;
    throw new Problem('malformed_body', 'A body is required');
  }
  const bytes = isPacked ? await unpackGzip(received, bytesMax) : received;
  if (isPacked) share.take(bytes.length);
  const { textFields } = description;
  const job = { bytes, syntax, withDigest: wishes.withDigest, ...(textFields && { textFields }) };
  const read = await readDocumentAside(job, wishes.caller);
  if (!read.ok) throw new Problem('malformed_body', read.message);
  const { document, problems, digest } = read;
  refuse(problems);
  if (description.validatedByHandler) return { value: document, digest };
  const result = validate(description.schema, document);
  if (!result.ok) refuse(result.problems);
  return { value: result.ok ? result.value : undefined, digest };
}

/** Answers 422 with all mistakes when there are any. @throws Problem `validation_failed` */
export function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const detail = problems.length === 1 ? '1 field is invalid' : `${problems.length} fields are invalid`;
  throw new Problem('validation_failed', detail, { errors: problems });
}

type Syntax = 'json' | 'yaml';

function hasNoBody(incoming: IncomingMessage): boolean {
  const { headers } = incoming;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function syntaxOf(contentType: string | undefined, description: BodyDescription, isYamlAsked: boolean): Syntax {
  const isYamlAllowed = description.format === 'json_or_yaml';
  if (isYamlAllowed && isYamlAsked) return 'yaml';
  const [mediaType = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (isUtf8 && /^application\/(?:json|[a-z0-9.-]+\+json)$/.test(mediaType.trim())) return 'json';
  if (isUtf8 && isYamlAllowed && /^(?:application|text)\/(?:x-)?yaml$/.test(mediaType.trim())) return 'yaml';
  const accepted = isYamlAllowed ? 'application/json or application/yaml' : 'application/json';
  throw new Problem('unsupported_media_type', `The body must be ${accepted} in UTF-8`);
}

function isGzip(contentEncoding: string | undefined, description: BodyDescription): boolean {
  const encoding = (contentEncoding ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return false;
  if (encoding === 'gzip' && description.gzip) return true;
  throw new Problem('unsupported_media_type', 'This content encoding is not accepted here');
}
