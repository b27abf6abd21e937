import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';

/** One text of a request, an answer or a chunk, where it stands. */
export interface TextPlace {
  /** The same for pieces of one text in several chunks. */
  readonly key: string;
  readonly holder: JsonObject;
  readonly field: string;
  readonly text: string;
}

/** Most levels that are searched for texts: what is nested deeper is no form that a provider reads. */
const DEPTH_MAX = 32;

/** All texts that people or models wrote in a request: of its messages, system prompt, prompt or input, results of tools included. */
export function requestTexts(body: JsonObject): readonly TextPlace[] {
  const places: TextPlace[] = [];
  for (const field of ['system', 'instructions', 'messages', 'prompt', 'input']) visit(body, field, places);
  return places;
}

/** All texts that a model wrote in an answer. */
export function answerTexts(operation: AiOperation, body: JsonObject): readonly TextPlace[] {
  const places: TextPlace[] = [];
  const field = { chat: 'choices', completions: 'choices', messages: 'content', responses: 'output', embeddings: '' }[
    operation
  ];
  if (field !== '') visit(body, field, places);
  return places;
}

/** The texts of one chunk of a stream of `chat`, `completions` or `messages`. */
export function chunkTexts(operation: AiOperation, chunk: JsonObject): readonly TextPlace[] {
  const places: TextPlace[] = [];
  if (operation === 'messages') {
    const at = `block ${keyOf(chunk['index'])}`;
    for (const field of ['delta', 'content_block']) visit(chunk, field, places, () => at);
  } else {
    const choices = chunk['choices'];
    for (const [place, choice] of (Array.isArray(choices) ? (choices as unknown[]) : []).entries()) {
      if (!isJsonObject(choice)) continue;
      const index = keyOf(choice['index'] ?? place);
      visit(choice, 'delta', places, (holder, field) => `${index} ${keyOf(holder['index'])} ${field}`);
      add(choice, 'text', places, `${index} text`);
    }
  }
  return places;
}

/** What a provider says a piece belongs to; only numbers mean anything. */
function keyOf(index: unknown): string {
  return typeof index === 'number' ? String(index) : '';
}

type KeyOf = (holder: JsonObject, field: string) => string;

/** Fields whose text is a name, a role or a reference, and nothing that anybody wrote. */
const formal: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'name',
  'finish_reason',
  'stop_reason',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'status',
  'object',
  'model',
  'media_type',
  'detail',
  'url',
  'data',
  'signature',
  'cache_control',
]);

function visit(holder: JsonObject, field: string, places: TextPlace[], keyOf?: KeyOf, depth = 0): void {
  const value = holder[field];
  if (typeof value === 'string') {
    add(holder, field, places, keyOf?.(holder, field) ?? `${places.length}`);
    return;
  }
  if (depth === DEPTH_MAX || typeof value !== 'object' || value === null) return;
  const inner = value as JsonObject;
  for (const name of Object.keys(inner)) if (!formal.has(name)) visit(inner, name, places, keyOf, depth + 1);
}

function add(holder: JsonObject, field: string, places: TextPlace[], key: string): void {
  const text = holder[field];
  if (typeof text === 'string' && text !== '') places.push({ key, holder, field, text });
}
