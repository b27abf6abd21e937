import type { Exchange, ResponseExchange } from '@portcullis/plugin-runtime';
import type { BodySide } from '../../shared/bodies/body-problems.ts';
import { saidType } from '../../shared/bodies/content-types.ts';
import { requestText, responseText, type ReadableBody } from '../../shared/bodies/readable-body.ts';
import { hasDuplicateNames } from '../../shared/json-text/duplicate-names.ts';
import { formValue } from '../values/form-values.ts';
import { multipartValue } from '../values/multipart.ts';
import type { ContractSettings } from './contract.ts';
import { issueOf, type ContractIssue, type MessageFault } from './issue.ts';
import { isJsonType, type MediaType, type MediaTypes } from './media-types.ts';
import { rangeBody } from './range-body.ts';

const ANY_TYPE = { matches: () => true };

/** Checks the body of a request whose media types are described. @param isRequired whether there has to be one */
export async function requestBodyFault(
  exchange: Exchange,
  media: MediaTypes,
  isRequired: boolean,
  settings: ContractSettings,
): Promise<MessageFault | undefined> {
  const { request } = exchange;
  const { bytesMax } = settings;
  const { headers, hasBody } = request;
  if (!hasBody || headers.get('content-length') === '0') return isRequired ? MISSING : undefined;
  const said = headers.get('content-type');
  const { type } = saidType(said);
  const found = media.find(type);
  if (found === undefined) {
    // Of unknown length, it may be none.
    if (!isRequired && headers.get('content-length') === undefined && said === undefined) {
      const empty = await request.readBody(bytesMax);
      if (empty?.length === 0) return undefined;
    }
    return WRONG_TYPE;
  }
  if (found.check === undefined || !(isRead(type) || found.isRange)) return undefined;
  if (type === 'multipart/form-data') {
    if (headers.has('content-encoding')) return { fault: 'encoding' };
    const bytes = await request.readBody(bytesMax);
    if (bytes === undefined) return { fault: 'too_large' };
    const value = multipartValue(bytes, said ?? '', found.shape());
    return value === undefined ? { fault: 'malformed' } : violated(found, value);
  }
  const body = await requestText(exchange, { ...ANY_TYPE, bytesMax });
  if (body.kind === 'absent') {
    if (body.absence === 'empty') return isRequired ? MISSING : undefined;
    // What is said to be a stream is read whole by services that do not know the type.
    return { fault: 'malformed' };
  }
  return isRead(type) ? textFault(body, type, found) : rangeFault(body, type, found, 'request', settings);
}

/** Checks the body of a response whose media types are described. */
export async function responseBodyFault(
  exchange: ResponseExchange,
  media: MediaTypes,
  settings: ContractSettings,
): Promise<MessageFault | undefined> {
  const { headers } = exchange.response;
  const { type } = saidType(headers.get('content-type'));
  const found = media.find(type);
  if (found === undefined) return headers.get('content-length') === '0' ? undefined : WRONG_TYPE;
  if (found.check === undefined || !(isRead(type) || found.isRange)) return undefined;
  const body = await responseText(exchange, { ...ANY_TYPE, bytesMax: settings.bytesMax });
  // A part cannot be checked, and which one it is the client has chosen.
  if (body.kind === 'absent') return body.absence === 'part' ? { fault: 'malformed' } : undefined;
  return isRead(type) ? textFault(body, type, found) : rangeFault(body, type, found, 'response', settings);
}

type GivenBody = Exclude<ReadableBody, { readonly kind: 'absent' }>;

function rangeFault(
  body: GivenBody,
  type: string,
  media: MediaType,
  side: BodySide,
  { isStrict }: ContractSettings,
): MessageFault | undefined {
  if (body.kind === 'problem' && body.problem !== 'not_utf8' && body.problem !== 'charset')
    return { fault: body.problem };
  const read = rangeBody(body, type, media.shape(), side, isStrict);
  if (read === 'passes') return undefined;
  if (read === 'malformed') return { fault: 'malformed' };
  return read.kind === 'json' ? jsonFault(read.text, media) : violated(media, read.text);
}

/** What is checked in a body. Of all other types only the type is. */
function isRead(type: string): boolean {
  return (
    isJsonType(type) ||
    type === 'application/x-www-form-urlencoded' ||
    type === 'multipart/form-data' ||
    (type.startsWith('text/') && type !== 'text/event-stream')
  );
}

function textFault(body: GivenBody, type: string, media: MediaType): MessageFault | undefined {
  if (body.kind === 'problem') return { fault: body.problem };
  if (isJsonType(type)) return jsonFault(body.text, media);
  if (type !== 'application/x-www-form-urlencoded') return violated(media, body.text);
  const encoding = Object.hasOwn(media.described.value, 'encoding') ? media.described.value['encoding'] : undefined;
  const value = formValue(body.text, media.shape(), encoding);
  return value === undefined ? { fault: 'malformed' } : violated(media, value);
}

function jsonFault(text: string, media: MediaType): MessageFault | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'malformed' };
  }
  return violated(media, value) ?? nameTwice(text, value);
}

/** A schema may say nothing of a part that nests beyond the stack. */
function nameTwice(text: string, value: unknown): ContractIssue | undefined {
  try {
    return hasDuplicateNames(text, value) ? TWICE : undefined;
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

function violated({ check }: MediaType, value: unknown): ContractIssue | undefined {
  const violation = check?.(value);
  return violation && issueOf('body', violation);
}

const MISSING: ContractIssue = { in: 'body', rule: 'required', message: 'is required' };
const TWICE: ContractIssue = { in: 'body', rule: 'unique_names', message: 'has an object with a name twice' };
const TOO_DEEP: ContractIssue = { in: 'body', rule: 'complexity', message: 'nests too deeply' };
const WRONG_TYPE: ContractIssue = {
  in: 'header',
  name: 'content-type',
  rule: 'content_type',
  message: 'is none of the described content types',
};
