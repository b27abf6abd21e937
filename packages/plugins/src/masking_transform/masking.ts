import type { Exchange, HeaderEdit, HeaderView, PluginResponse, ResponseExchange } from '@portcullis/plugin-runtime';
import type { BodyFaultPolicy, BodySide } from '../shared/bodies/body-problems.ts';
import { contentTypeMatcher, saidType, type ContentTypeMatcher } from '../shared/bodies/content-types.ts';
import { requestText, responseText, type BodyReading, type ReadableBody } from '../shared/bodies/readable-body.ts';
import { replacedAnswer, replacedBody, type ReplacedBody } from '../shared/bodies/replaced-body.ts';
import { editJson, editJsonLines } from '../shared/json-text/edit-json.ts';
import type { JsonOperation } from '../shared/json-text/operations.ts';

/** How bodies of one side are masked. */
export interface BodyMasking {
  readonly operations: readonly JsonOperation[];
  readonly matches: ContentTypeMatcher;
  readonly bytesMax: number;
  readonly onFault: BodyFaultPolicy;
  /** Called for each body that passes because of its type. */
  readonly onOtherType: () => void;
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

/**
 * What is masked: the types of the config, those that have JSON on lines, and streams of events, which nobody can mask: the client may ask for
 * any of them, and services like to give what is asked for.
 */
export function maskedTypes(types: readonly string[]): ContentTypeMatcher {
  const matches = contentTypeMatcher(types);
  return (type) => matches(type) || LINE_TYPES.has(type) || type === 'text/event-stream';
}

/** One JSON text a line. */
const LINE_TYPES: ReadonlySet<string> = new Set([
  'application/json-lines',
  'application/json-seq',
  'application/jsonl',
  'application/jsonlines',
  'application/ndjson',
  'application/x-json-stream',
  'application/x-jsonlines',
  'application/x-ndjson',
]);

/** A body without a type that can be read may be anything: it is read, and masked when it is JSON. */
function readingOf({ matches, bytesMax }: BodyMasking): BodyReading {
  return { matches: (type) => type === '' || matches(type), bytesMax };
}

async function masked(
  exchange: Exchange,
  side: BodySide,
  view: HeaderView,
  body: ReadableBody,
  { operations, matches, onFault, onOtherType, fields }: BodyMasking,
): Promise<Masked> {
  const isTyped = saidType(view.get('content-type')).type !== '';
  if (body.kind === 'absent') {
    if (body.absence === 'other_type') onOtherType();
    // A stream, or a part, of what is to be masked: none of it can be looked at.
    const isPart = body.absence === 'part' && mayBePartOf(view.get('content-type'), matches);
    return isPart || body.absence === 'stream' ? onFault(exchange, side, 'malformed') : undefined;
  }
  if (body.kind === 'problem') {
    const isOther = !isTyped && body.problem === 'not_utf8' && !isLikeJson(body.bytes ?? NO_BYTES);
    return isOther ? undefined : onFault(exchange, side, body.problem);
  }
  const edited = LINE_TYPES.has(body.type) ? editJsonLines(body.text, operations) : editJson(body.text, operations);
  if (edited === 'unchanged') return undefined;
  if (typeof edited === 'string') {
    const isOther = !isTyped && edited === 'malformed' && !isLikeJson(Buffer.from(body.text));
    return isOther ? undefined : onFault(exchange, side, edited);
  }
  return side === 'response'
    ? replacedAnswer(view, edited.text, body.encoding, fields)
    : replacedBody(edited.text, body.encoding, fields);
}

/**
 * Whether a body without a type that is no JSON text could be taken for one by somebody: several texts, a mistake that some readers forgive, or
 * another charset, where each character has bytes of 0 beside it.
 */
function isLikeJson(bytes: Uint8Array): boolean {
  return /^[\0\t\n\r \xef\xbb\xbf\xfe\xff]*[[{]/.test(Buffer.from(bytes).toString('latin1'));
}

const NO_BYTES = new Uint8Array();

/** Several parts in one body have their types within. */
function mayBePartOf(said: string | undefined, matches: ContentTypeMatcher): boolean {
  const { type } = saidType(said);
  return type === '' || type === 'multipart/byteranges' || matches(type);
}
