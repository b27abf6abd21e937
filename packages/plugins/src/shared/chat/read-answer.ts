import type { PluginLog, PluginResponse, ResponseEdits, ResponseExchange } from '@portcullis/plugin-runtime';
import type { BodyFault } from '../bodies/body-problems.ts';
import { contentTypeMatcher, JSON_TYPES } from '../bodies/content-types.ts';
import { responseText, type BodyReading, type BodyText } from '../bodies/readable-body.ts';
import { replacedAnswer } from '../bodies/replaced-body.ts';
import { answerDocument, type AnswerDocument } from './answer-document.ts';
import { aiRefusal } from './ai-refusal.ts';
import type { GuardFigures } from './guard-figures.ts';

/** Types of streams that models answer with. */
export const streamTypes: readonly string[] = [
  'text/event-stream',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
];

/** Types of answers of AI services: JSON, event streams, lines of JSON, and words. */
export const ANSWER_TYPES: readonly string[] = [
  ...JSON_TYPES,
  'text/*',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
];

/** An answer's body as it was read, whole. */
export interface ReadAnswer {
  readonly body: BodyText;
  readonly document: AnswerDocument;
}

/** Why an answer cannot be read: a part of one (206) may hold anything, and nobody sees it whole. */
export type AnswerFault = BodyFault | 'part';

/** What a guard of answers reads: streams too, whole, and bodies that do not say what they are. */
export function answerReading(contentTypes: readonly string[], bytesMax: number): BodyReading {
  const matches = contentTypeMatcher(contentTypes);
  return { matches: (type) => SAYS_NOTHING.has(type) || matches(type), bytesMax, readsStreams: true };
}

/** Types that stand for any bytes: readers look at what it is, or know it by the path. Source: RFC 2046, 4.5.1; WHATWG, MIME Sniffing. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
  '*/*',
]);

/**
 * Reads an answer. Streams come whole: nothing of them has left yet, so what is made of them may have any status.
 * @returns `undefined` where there is nothing to read; a fault where there is, and it cannot be
 */
export async function readAnswer(
  exchange: ResponseExchange,
  reading: BodyReading,
): Promise<ReadAnswer | AnswerFault | undefined> {
  const body = await responseText(exchange, reading);
  if (body.kind === 'absent') return body.absence === 'part' ? 'part' : undefined;
  if (body.kind === 'problem') return body.problem;
  const document = answerDocument(body);
  return document === undefined ? 'malformed' : { body, document };
}

/** Edits that put what a document says now in the answer's place. */
export function rewrittenAnswer(
  { response }: ResponseExchange,
  { body, document }: ReadAnswer,
): Promise<ResponseEdits> {
  return replacedAnswer(response.headers, document.written(), body.encoding);
}

/** Edits of an answer that says what it may: none, unless a reader could find something else in it. */
export function passedAnswer(
  { response }: ResponseExchange,
  { body, document }: ReadAnswer,
): Promise<ResponseEdits> | undefined {
  const exact = document.exact();
  return exact === body.text ? undefined : replacedAnswer(response.headers, exact, body.encoding);
}

/** The answer to one that nobody could judge: it must not pass. What it was is for the operator alone. */
export function unjudgedAnswer(
  exchange: ResponseExchange,
  { log, figures }: { readonly log: PluginLog; readonly figures: GuardFigures },
  fault: AnswerFault,
): PluginResponse {
  figures.unjudged();
  log.debug('refused an answer that cannot be judged', { reason: fault, request_id: exchange.facts.requestId });
  return aiRefusal(exchange, UNJUDGED, exchange.response.headers);
}

const UNJUDGED = {
  status: 502,
  code: 'answer_unreadable',
  message: 'The answer could not be read, and must not be sent unread',
} as const;
