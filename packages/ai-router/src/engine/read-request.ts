import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { RouterError } from '../errors/router-error.ts';
import { bodyBoundsIssue } from './body-bounds.ts';

/** Bytes of a request's body. Source: ai, Endpoints. */
export const REQUEST_BYTES_MAX: number = 64 * 1024 * 1024;

/** Characters of a model's name. */
export const MODEL_LENGTH_MAX = 256;

/** A request that may be sent on. */
export interface ReadRequest {
  readonly body: JsonObject;
  /** What `body` was read from, when no reader could read it otherwise. */
  readonly bytes: Uint8Array | undefined;
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client wants to see a chunk that holds usage and nothing else. */
  readonly asksForUsage: boolean;
}

/** What is no UTF-8 would be judged as other text than the provider's reader may see. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads and checks a body. Source: ai, Endpoints: request checks before any provider call. */
export function readRequest(operation: AiOperation, bytes: Uint8Array): ReadRequest | RouterError {
  if (bytes.byteLength > REQUEST_BYTES_MAX) return tooLarge;
  const unbounded = bodyBoundsIssue(bytes);
  if (unbounded !== undefined) return unbounded;
  let text: string;
  let body: unknown;
  try {
    text = decoder.decode(bytes);
    body = JSON.parse(text);
  } catch {
    return invalid('The body is not JSON in UTF-8');
  }
  if (!isJsonObject(body)) return invalid('The body must be a JSON object');
  const { model } = body;
  if (model === undefined) return invalid('model is required', 'model');
  if (typeof model !== 'string' || !isModelName(model)) {
    return invalid(
      `model must be text of 1 to ${MODEL_LENGTH_MAX} printable characters, without blanks around it`,
      'model',
    );
  }
  const wrong = inputIssue(operation, body) ?? limitIssue(body);
  if (wrong !== undefined) return wrong;
  const stream = body['stream'] ?? false;
  if (typeof stream !== 'boolean') return invalid('stream must be true or false', 'stream');
  const options = body['stream_options'];
  return {
    body,
    bytes: isUnambiguous(text) ? bytes : undefined,
    model,
    stream: stream && operation !== 'embeddings',
    asksForUsage: isJsonObject(options) && options['include_usage'] === true,
  };
}

/** Whether what was read is a refusal. */
export function isRefusal(read: ReadRequest | RouterError): read is RouterError {
  return 'code' in read;
}

/** The answer to a body above {@link REQUEST_BYTES_MAX}. */
export const tooLarge: RouterError = Object.freeze({
  code: 'request_too_large',
  message: `The body has more than ${REQUEST_BYTES_MAX} bytes`,
});

function invalid(message: string, param?: string): RouterError {
  return { code: 'invalid_request_error', message, ...(param !== undefined && { param }) };
}

function isModelName(model: string): boolean {
  return model !== '' && model.length <= MODEL_LENGTH_MAX && !CONTROL.test(model) && model === model.trim();
}

// oxlint-disable-next-line no-control-regex -- what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** What each operation cannot do without. */
function inputIssue(operation: AiOperation, body: JsonObject): RouterError | undefined {
  switch (operation) {
    case 'chat':
    case 'messages':
      return messagesIssue(body['messages']);
    case 'completions':
      return given(body, 'prompt');
    case 'embeddings':
    case 'responses':
      return given(body, 'input');
  }
}

/** What budgets hold back must be what the provider reads: some take a limit that is text. */
function limitIssue(body: JsonObject): RouterError | undefined {
  const wrong = limits.find((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value !== undefined && value !== null && typeof value !== 'number';
  });
  return wrong === undefined ? undefined : invalid(`${wrong} must be a number`, wrong);
}

const limits = ['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'n', 'best_of'] as const;

function messagesIssue(messages: unknown): RouterError | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return invalid('messages must be a list with at least one message', 'messages');
  }
  const wrong = messages.findIndex((message) => !isJsonObject(message));
  return wrong === -1 ? undefined : invalid('a message must be an object', `messages[${wrong}]`);
}

function given(body: JsonObject, name: 'prompt' | 'input'): RouterError | undefined {
  const value = body[name];
  const isThere = (typeof value === 'string' && value !== '') || (Array.isArray(value) && value.length > 0);
  return isThere ? undefined : invalid(`${name} must be text or a list, and not empty`, name);
}

/**
 * Whether every reader of JSON sees the same fields in a text. Readers differ where a name stands twice, and a policy must not be decided by
 * another `model`, bound or `stream` than the provider's reader takes. A name may be spelt with escapes; such texts are written anew.
 */
function isUnambiguous(text: string): boolean {
  return deciding.every((name) => isOnce(text, name)) && !text.includes('\\u00');
}

const deciding = ['"model"', '"stream"', '"max_tokens"', '"max_completion_tokens"'] as const;

function isOnce(text: string, name: string): boolean {
  const first = text.indexOf(name);
  return first === -1 || !text.includes(name, first + name.length);
}
