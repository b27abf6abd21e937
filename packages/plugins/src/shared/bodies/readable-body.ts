import type { Exchange, RequestView, ResponseExchange, ResponseView } from '@portcullis/plugin-runtime';
import { bodilessStatuses } from '../bodiless.ts';
import { decodedBody, encodingSaid, type BodyEncoding } from './body-coding.ts';
import { saidType, type ContentTypeMatcher } from './content-types.ts';

/** Why there is a body that was to be read and could not be. */
export type BodyProblem =
  /** It has more bytes than the bound, as sent or decoded, or expands beyond what honest bodies do. */
  | 'too_large'
  /** It is coded in a way that is not read here, or in several. */
  | 'encoding'
  /** It is said to be in a charset other than UTF-8. */
  | 'charset'
  /** What it is said to be coded in is not what it is: broken or cut off. */
  | 'broken'
  /** It is not UTF-8. */
  | 'not_utf8'
  /** It has several `content-type` lines, of which readers take one or another. */
  | 'types';

/** Why there is nothing to read. None of these is a mistake. */
export type BodyAbsence =
  /** No bytes, or a message that has no body by its method or status. */
  | 'empty'
  /** Its content type is none of those that the plugin is for. */
  | 'other_type'
  /** A part of an answer's representation only (206, `content-range`): its text means nothing by itself. */
  | 'part'
  /** An event stream or another body that is made while it is read. */
  | 'stream';

/** The text of a body. */
export interface BodyText {
  readonly kind: 'text';
  /** Without a byte order mark. */
  readonly text: string;
  /** How the body was coded, and is to be coded again. */
  readonly encoding: BodyEncoding | undefined;
  /** The media type, in lower case and without parameters. */
  readonly type: string;
}

/** What came of reading a body. */
export type ReadableBody =
  | BodyText
  | { readonly kind: 'absent'; readonly absence: BodyAbsence }
  | {
      readonly kind: 'problem';
      readonly problem: BodyProblem;
      /** Of a body that is not UTF-8, decoded. */
      readonly bytes?: Uint8Array;
    };

/** What a plugin reads. */
export interface BodyReading {
  readonly matches: ContentTypeMatcher;
  /** Of the body, as sent and decoded. */
  readonly bytesMax: number;
  /** Reads event streams, too, whole: for plugins that hold an answer back until they have seen all of it. Default false. */
  readonly readsStreams?: boolean;
}

/**
 * The text of a request's body, decoded. Rejects when the client breaks off; the host answers that. A `content-range` changes nothing:
 * services ignore it and read the body whole, so it must not switch off what looks at bodies. Source: RFC 9110, 14.4 and 14.5.
 */
export function requestText({ request }: Exchange, reading: BodyReading): Promise<ReadableBody> {
  if (!request.hasBody) return EMPTY;
  return readableBody(request, reading);
}

/** The text of a response's body, decoded. Rejects when the upstream breaks off; the host answers that. */
export function responseText({ request, response }: ResponseExchange, reading: BodyReading): Promise<ReadableBody> {
  const { status, headers } = response;
  if (request.method === 'HEAD' || bodilessStatuses.has(status) || headers.get('content-length') === '0') return EMPTY;
  if (status === PARTIAL_CONTENT || headers.has('content-range')) return PART;
  return readableBody(response, reading);
}

const PARTIAL_CONTENT = 206;

async function readableBody(view: RequestView | ResponseView, reading: BodyReading): Promise<ReadableBody> {
  const { matches, bytesMax, readsStreams = false } = reading;
  const { headers } = view;
  const lines = headers.getAll('content-type');
  const { type, charset } = saidType(lines[0]);
  if (lines.length > 1 && lines.some((line) => matches(saidType(line).type))) return problem('types');
  if (!matches(type)) return OTHER_TYPE;
  if (!readsStreams && isStream(type)) return STREAM;
  const encoding = encodingSaid(headers.get('content-encoding'));
  if (encoding === 'other') return problem('encoding');
  if (charset !== undefined && !UTF8_NAMES.has(charset)) return problem('charset');
  // A length that says too much is not waited for.
  if (Number(headers.get('content-length') ?? 0) > bytesMax) return problem('too_large');
  const sent = await view.readBody(bytesMax);
  if (sent === undefined) return problem('too_large');
  if (sent.length === 0) return EMPTY;
  const bytes = encoding === undefined ? sent : await decodedBody(sent, encoding, bytesMax);
  if (bytes === 'too_large' || bytes === 'broken') return problem(bytes);
  const text = decodedText(bytes);
  return text === undefined ? { kind: 'problem', problem: 'not_utf8', bytes } : { kind: 'text', text, encoding, type };
}

/** What is sent while it is made: reading it whole would hold it back for as long as it goes on. */
function isStream(type: string): boolean {
  return (
    type === 'text/event-stream' ||
    type === 'multipart/x-mixed-replace' ||
    type === 'application/grpc' ||
    type.startsWith('application/grpc+')
  );
}

/** ASCII is UTF-8. */
const UTF8_NAMES: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function problem(said: BodyProblem): ReadableBody {
  return { kind: 'problem', problem: said };
}

function absent(absence: BodyAbsence): ReadableBody {
  return { kind: 'absent', absence };
}

const OTHER_TYPE = absent('other_type');
const STREAM = absent('stream');
const EMPTY = Promise.resolve(absent('empty'));
const PART = Promise.resolve(absent('part'));
