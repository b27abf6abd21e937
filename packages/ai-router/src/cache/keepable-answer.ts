import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';

/** Characters of an answer that is kept. */
export const KEPT_LENGTH_MAX: number = 1024 * 1024;

/**
 * Whether an answer may be given to others who ask the same: it is whole and nothing but text. What calls tools, refuses, was cut off or filtered, or is
 * of a kind that is not known, is not. Source: ai, Caches.
 * @param form whose the body is
 */
export function isKeepable(form: AiOperation, body: JsonObject): boolean {
  if ('error' in body && body['error'] !== null) return false;
  switch (form) {
    case 'chat':
      return everyOf(body['choices'], isPlainChoice);
    case 'completions':
      return everyOf(body['choices'], ({ finish_reason: reason, text }) => reason === 'stop' && isText(text));
    case 'messages':
      return isPlainMessage(body);
    case 'responses':
      return body['status'] === 'completed' && everyOf(body['output'], isPlainItem);
    case 'embeddings':
      return everyOf(body['data'], ({ embedding }) => embedding !== undefined && embedding !== null);
  }
}

function isPlainChoice({ finish_reason: reason, message }: JsonObject): boolean {
  if (reason !== 'stop' || !isJsonObject(message) || !isText(message['content'])) return false;
  return ['refusal', 'tool_calls', 'function_call', 'audio'].every((field) => isAbsent(message[field]));
}

function isPlainMessage({ stop_reason: reason, content }: JsonObject): boolean {
  if (reason !== 'end_turn' && reason !== 'stop_sequence') return false;
  return everyOf(content, ({ type }) => type === 'text' || type === 'thinking') && hasText(content);
}

function isPlainItem({ type, content }: JsonObject): boolean {
  return type === 'reasoning' || (type === 'message' && everyOf(content, (part) => part['type'] === 'output_text'));
}

function everyOf(list: unknown, is: (item: JsonObject) => boolean): boolean {
  return Array.isArray(list) && list.length > 0 && list.every((item) => isJsonObject(item) && is(item));
}

function hasText(list: unknown): boolean {
  return Array.isArray(list) && list.some((item) => isJsonObject(item) && isText(item['text']));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
