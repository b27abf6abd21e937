import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { EMBEDDED_LENGTH_MAX } from './embedding/embedder.ts';

/** A text of a request, where it stands. */
export interface PlacedText {
  readonly holder: JsonObject;
  readonly field: string;
  readonly text: string;
}

/**
 * What a user said last: of the last message of a user the last text. Everything else of the request has to be the same where two of them are
 * compared. `undefined` where there is none, or one that is too long to be compared.
 */
export function lastUserText(operation: AiOperation, body: JsonObject): PlacedText | undefined {
  const place = placeOf(operation, body);
  if (place === undefined || place.text.trim() === '') return undefined;
  return place.text.length <= EMBEDDED_LENGTH_MAX ? place : undefined;
}

function placeOf(operation: AiOperation, body: JsonObject): PlacedText | undefined {
  switch (operation) {
    case 'embeddings':
      // The vector of a text is of no use to another text.
      return undefined;
    case 'completions':
      return placed(body, 'prompt');
    case 'responses':
      return placed(body, 'input') ?? ofMessages(body['input']);
    default:
      return ofMessages(body['messages']);
  }
}

function ofMessages(messages: unknown): PlacedText | undefined {
  if (!Array.isArray(messages)) return undefined;
  const last = messages.filter(isJsonObject).findLast((message) => message['role'] === 'user');
  if (last === undefined) return undefined;
  const { content } = last;
  if (!Array.isArray(content)) return placed(last, 'content');
  const part = content.filter(isJsonObject).findLast(({ type }) => type === 'text' || type === 'input_text');
  return part && placed(part, 'text');
}

function placed(holder: JsonObject, field: string): PlacedText | undefined {
  const text = holder[field];
  return typeof text === 'string' ? { holder, field, text } : undefined;
}
