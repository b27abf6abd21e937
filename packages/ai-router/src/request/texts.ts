import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';

/** A text of a request, and who says it. */
export interface RequestText {
  readonly role: string;
  readonly text: string;
}

/** Lists within lists that are followed: contents of tool results. */
const DEPTH_MAX = 4;

/**
 * Every text of a request's messages, in their order: contents as text or in parts, what tools are called with and what they gave, and what systems are
 * told. Anything else (images, definitions of tools) is no text. Reads whatever it is given. Source: ai, Token accounting.
 */
export function requestTexts(operation: AiOperation, body: JsonObject): readonly RequestText[] {
  const texts: RequestText[] = [];
  const add = (role: string, content: unknown): void => addTexts(texts, role, content, DEPTH_MAX);
  switch (operation) {
    case 'completions':
      for (const text of listed(body['prompt'])) add('user', text);
      add('user', body['suffix']);
      break;
    case 'embeddings':
      for (const text of listed(body['input'])) add('user', text);
      break;
    case 'responses':
      add('system', body['instructions']);
      for (const item of listed(body['input'])) addMessage(add, item);
      break;
    default:
      add('system', body['system']);
      for (const message of listed(body['messages'])) addMessage(add, message);
  }
  return texts;
}

/** Numbers in prompts are tokens already. @returns how many there are */
export function requestTokens(operation: AiOperation, body: JsonObject): number {
  if (operation !== 'completions' && operation !== 'embeddings') return 0;
  let count = 0;
  for (const item of listed(operation === 'completions' ? body['prompt'] : body['input'])) {
    count += listed(item).filter((token) => typeof token === 'number').length;
  }
  return count;
}

function addMessage(add: (role: string, content: unknown) => void, message: unknown): void {
  if (typeof message === 'string') return add('user', message);
  if (!isJsonObject(message)) return;
  const role = typeof message['role'] === 'string' ? message['role'] : 'tool';
  add(role, message['content']);
  for (const call of listed(message['tool_calls'])) {
    if (isJsonObject(call) && isJsonObject(call['function'])) add(role, call['function']['arguments']);
  }
  if (isJsonObject(message['function_call'])) add(role, message['function_call']['arguments']);
  // Items of `responses` that are no messages.
  add(role, message['arguments']);
  add(role, message['output']);
}

function addTexts(texts: RequestText[], role: string, content: unknown, depth: number): void {
  if (typeof content === 'string') {
    if (content !== '') texts.push({ role, text: content });
    return;
  }
  if (depth === 0) return;
  if (Array.isArray(content)) {
    for (const part of content) addTexts(texts, role, part, depth - 1);
    return;
  }
  if (!isJsonObject(content)) return;
  addTexts(texts, role, content['text'], depth - 1);
  addTexts(texts, role, content['thinking'], depth - 1);
  if (content['type'] === 'tool_result') addTexts(texts, 'tool', content['content'], depth - 1);
  if (content['type'] === 'tool_use') addTexts(texts, role, JSON.stringify(content['input'] ?? {}), depth - 1);
}

function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
