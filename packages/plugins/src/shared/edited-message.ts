import type {
  Exchange,
  HeaderEdit,
  PluginResponse,
  RequestEdits,
  ResponseEdits,
  ResponseExchange,
} from '@portcullis/plugin-runtime';
import type { BodyFaultPolicy } from './bodies/body-problems.ts';
import { saidType } from './bodies/content-types.ts';
import { requestText, responseText, type BodyReading, type BodyText } from './bodies/readable-body.ts';
import { answerWithoutBody, replacedAnswer, replacedBody, withoutDigests } from './bodies/replaced-body.ts';
import { editJson, type JsonForm } from './json-text/edit-json.ts';
import type { JsonOperation } from './json-text/operations.ts';

/** How a plugin edits messages of one side: their headers, and their JSON bodies. */
export interface MessageEditing {
  /** Frozen through and through, as `headerEdits` gives them. */
  readonly headers: readonly HeaderEdit[];
  readonly operations: readonly JsonOperation[];
  /** Which JSON texts are edited. */
  readonly form: JsonForm;
  readonly reading: BodyReading;
  readonly onFault: BodyFaultPolicy;
}

type Edits = RequestEdits & ResponseEdits;
type Edited = Edits | PluginResponse;

/** Makes the hook that edits requests. A body is read only where there is something to do in it. */
export function requestEditing(
  editing: MessageEditing,
): (exchange: Exchange) => Edits | undefined | Promise<Edited | undefined> {
  const { headers, operations, reading, onFault } = editing;
  const plain = headers.length === 0 ? undefined : Object.freeze({ headers });
  if (operations.length === 0) return () => plain;
  const fields = withoutDigests(headers);
  return async (exchange) => {
    const body = await requestText(exchange, reading);
    // The client says what type it is: one that is edited, but not read, must not be a way past a strict plugin.
    if (body.kind === 'absent' && body.absence === 'stream') return onFault(exchange, 'request', 'malformed') ?? plain;
    if (body.kind === 'absent') return plain;
    const text = body.kind === 'text' ? newText(body, editing) : body.problem;
    if (text === undefined) return plain;
    if (typeof text === 'string') return onFault(exchange, 'request', text) ?? plain;
    return replacedBody(text.text, (body as BodyText).encoding, fields);
  };
}

/** Makes the hook that edits responses. */
export function responseEditing(
  editing: MessageEditing,
): (exchange: ResponseExchange) => Edits | undefined | Promise<Edited | undefined> {
  const { headers, operations, reading, onFault } = editing;
  const plain = headers.length === 0 ? undefined : Object.freeze({ headers });
  if (operations.length === 0) return () => plain;
  const fields = withoutDigests(headers);
  return async (exchange) => {
    if (speaksOfBody(exchange, reading)) return answerWithoutBody(exchange.response.headers, fields);
    const body = await responseText(exchange, reading);
    if (body.kind === 'absent') return plain;
    const text = body.kind === 'text' ? newText(body, editing) : body.problem;
    if (text === undefined) return plain;
    if (typeof text === 'string') return onFault(exchange, 'response', text) ?? plain;
    return replacedAnswer(exchange.response.headers, text.text, (body as BodyText).encoding, fields);
  };
}

/** The new text in an object, a fault, or `undefined` where nothing changes. */
function newText({ text }: BodyText, { operations, form }: MessageEditing) {
  const edited = editJson(text, operations, form);
  return edited === 'unchanged' ? undefined : edited;
}

/** Whether an answer speaks of a body that would be edited and has none: to `HEAD`, or with status 304, which often has no type either. */
export function speaksOfBody(
  { request, response: { status, headers } }: ResponseExchange,
  { matches }: Pick<BodyReading, 'matches'>,
): boolean {
  const { type } = saidType(headers.get('content-type'));
  return status === NOT_MODIFIED ? type === '' || matches(type) : request.method === 'HEAD' && matches(type);
}

const NOT_MODIFIED = 304;
