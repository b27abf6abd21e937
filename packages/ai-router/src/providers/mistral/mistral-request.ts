import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import { fieldOf } from '../chat-form/field.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** What Mistral takes for the ID of a call. */
const CALL_ID = /^[A-Za-z0-9]{9}$/;

/** Fields that say nothing of the answer, or only how it is billed and kept; Mistral refuses requests with fields that it does not know. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'metadata',
  'modalities',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'store',
  'stream_options',
  'user',
  'verbosity',
]);

/** Fields that change the answer, which Mistral has no word for. */
const REFUSED: readonly string[] = [
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'top_logprobs',
  'web_search_options',
];

const SAID: readonly string[] = ['role', 'content'];

/** Fields of a message that are taken, by role; any other one is refused. Source: Mistral API, chat completions. */
const MESSAGE_FIELDS: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['system', new Set(SAID)],
  ['developer', new Set(SAID)],
  ['user', new Set(SAID)],
  ['assistant', new Set([...SAID, 'tool_calls', 'prefix'])],
  ['tool', new Set([...SAID, 'tool_call_id', 'name'])],
]);

/** What Mistral calls otherwise. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['max_completion_tokens', 'max_tokens'],
  ['seed', 'random_seed'],
]);

/**
 * A chat request as Mistral takes it: the very same object when it is one already. Usage comes with each stream unasked.
 * Source: Mistral API, chat completions.
 * @throws UnsupportedRequestError
 */
export function mistralRequest({ body, operation }: AdapterCall): JsonObject {
  if (operation !== 'chat') return body;
  for (const name of REFUSED) {
    if (fieldOf(body, name) !== undefined) throw new UnsupportedRequestError(`${name} is not known to this provider`);
  }
  if (fieldOf(body, 'logprobs') === true) throw new UnsupportedRequestError('logprobs are not given by this provider');
  const entries = Object.entries(body);
  const changed = entries.flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (LEFT_OUT.has(name) || name === 'logprobs') return [];
    if (name === 'messages') return [[name, mistralMessages(value)]];
    const renamed = RENAMED.get(name);
    // Where both names are there, the newer one counts.
    if (renamed !== undefined) return [[renamed, value]];
    return name === 'max_tokens' && fieldOf(body, 'max_completion_tokens') !== undefined ? [] : [[name, value]];
  });
  const isSame =
    changed.length === entries.length &&
    changed.every(([name, value], at) => entries[at]?.[0] === name && entries[at][1] === value);
  return isSame ? body : Object.fromEntries(changed);
}

function mistralMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  const changed = messages.map((message: unknown) => (isJsonObject(message) ? mistralMessage(message) : message));
  return changed.every((message, at) => message === messages[at]) ? messages : changed;
}

function mistralMessage(message: JsonObject): JsonObject {
  const changes: [string, unknown][] = [];
  if (message['role'] === 'developer') changes.push(['role', 'system']);
  const callId = message['tool_call_id'];
  if (typeof callId === 'string' && !CALL_ID.test(callId)) changes.push(['tool_call_id', mistralCallId(callId)]);
  const calls = message['tool_calls'];
  if (Array.isArray(calls) && calls.some(hasForeignId)) changes.push(['tool_calls', calls.map(withCallId)]);
  // What other models thought, and what clients echo of their answers, is refused there.
  const known = MESSAGE_FIELDS.get(message['role']);
  const own = Object.entries(message).filter(([name, value]) => value !== null && (known?.has(name) ?? true));
  if (changes.length === 0 && own.length === Object.keys(message).length) return message;
  return Object.fromEntries([...own, ...changes]);
}

function hasForeignId(call: unknown): boolean {
  return isJsonObject(call) && typeof call['id'] === 'string' && !CALL_ID.test(call['id']);
}

function withCallId(call: unknown): unknown {
  return isJsonObject(call) && hasForeignId(call) ? { ...call, id: mistralCallId(String(call['id'])) } : call;
}

/** The same for a call and its result, so that conversations which began elsewhere can go on. */
function mistralCallId(id: string): string {
  return hash('sha256', id).slice(0, 9);
}
