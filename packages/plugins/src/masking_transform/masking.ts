import type { Exchange, HeaderEdit, HeaderView, PluginResponse, ResponseExchange } from '@portcullis/plugin-runtime';
import type { BodyFault, BodyFaultPolicy, BodySide } from '../shared/bodies/body-problems.ts';
import { saidType, type ContentTypeMatcher } from '../shared/bodies/content-types.ts';
import { requestText, responseText, type BodyReading, type ReadableBody } from '../shared/bodies/readable-body.ts';
import { replacedAnswer, replacedBody, type ReplacedBody } from '../shared/bodies/replaced-body.ts';
import { editJson } from '../shared/json-text/edit-json.ts';
import type { JsonOperation } from '../shared/json-text/operations.ts';

/** How bodies of one side are masked. */
export interface BodyMasking {
  readonly operations: readonly JsonOperation[];
  readonly matches: ContentTypeMatcher;
  readonly bytesMax: number;
  readonly onFault: BodyFaultPolicy;
  /** Of a message whose body is replaced. */
  readonly fields: readonly HeaderEdit[];
}

/** The edits that mask a body; an answer for one that cannot be masked; `undefined` for one where nothing is to be masked. */
export type Masked = ReplacedBody | PluginResponse | undefined;

/** Masks a request's body. */
export async function maskRequest(exchange: Exchange, masking: BodyMasking): Promise<Masked> {
  const { headers } = exchange.request;
  return masked(exchange, 'request', headers, await requestText(exchange, readingOf(masking)), masking);
}

/** Masks a response's body. */
export async function maskResponse(exchange: ResponseExchange, masking: BodyMasking): Promise<Masked> {
  const { headers } = exchange.response;
  return masked(exchange, 'response', headers, await responseText(exchange, readingOf(masking)), masking);
}

/** A body without a type that can be read may be anything: it is read, and masked when it is JSON. */
function readingOf({ matches, bytesMax }: BodyMasking): BodyReading {
  return { matches: (type) => type === '' || matches(type), bytesMax };
}

async function masked(
  exchange: Exchange,
  side: BodySide,
  view: HeaderView,
  body: ReadableBody,
  { operations, matches, onFault, fields }: BodyMasking,
): Promise<Masked> {
  const isTyped = saidType(view.get('content-type')).type !== '';
  if (body.kind === 'absent') {
    // A stream, or a part, of what is to be masked: none of it can be looked at.
    const isPart = body.absence === 'part' && mayBePartOf(view.get('content-type'), matches);
    return isPart || body.absence === 'stream' ? onFault(exchange, side, 'malformed') : undefined;
  }
  if (body.kind === 'problem') {
    return isTyped || !isOtherKind(body.problem) ? onFault(exchange, side, body.problem) : undefined;
  }
  const edited = editJson(body.text, operations);
  if (edited === 'unchanged') return undefined;
  if (typeof edited === 'string') {
    return isTyped || !isOtherKind(edited) ? onFault(exchange, side, edited) : undefined;
  }
  return side === 'response'
    ? replacedAnswer(view, edited.text, body.encoding, fields)
    : replacedBody(edited.text, body.encoding, fields);
}

/** What only says that a body without a type is not JSON. */
function isOtherKind(fault: BodyFault): boolean {
  return fault === 'not_utf8' || fault === 'malformed';
}

/** Several parts in one body have their types within. */
function mayBePartOf(said: string | undefined, matches: ContentTypeMatcher): boolean {
  const { type } = saidType(said);
  return type === '' || type === 'multipart/byteranges' || matches(type);
}
