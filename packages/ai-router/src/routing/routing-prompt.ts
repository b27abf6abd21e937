import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { requestTexts } from '../request/texts.ts';
import { TEXT_LENGTH_MAX } from './semantic/hash-vector.ts';

/** A message shorter than this ("and in French?") says too little by itself. Source: ai, Semantic routing by feature hashing. */
const SHORT_LENGTH = 20;

/** What of a request is compared with hints: what the user said last, and what they said before when that was short. */
export function routingPrompt(operation: AiOperation, body: JsonObject): string {
  const said = userMessages(operation, body);
  const last = said.at(-1) ?? '';
  const before = last.length < SHORT_LENGTH ? said.at(-2) : undefined;
  return (before === undefined ? last : `${before}\n${last}`).slice(0, TEXT_LENGTH_MAX);
}

/** The user's last two messages. */
function userMessages(operation: AiOperation, body: JsonObject): readonly string[] {
  const messages = operation === 'responses' ? body['input'] : body['messages'];
  const isList = operation !== 'completions' && operation !== 'embeddings' && Array.isArray(messages);
  if (!isList) return [joined(operation, body)];
  const said: string[] = [];
  for (let at = messages.length - 1; at >= 0 && said.length < 2; at -= 1) {
    const text = joined(
      operation,
      operation === 'responses' ? { input: [messages[at]] } : { messages: [messages[at]] },
    );
    if (text !== '') said.unshift(text);
  }
  return said;
}

function joined(operation: AiOperation, body: JsonObject): string {
  const texts = requestTexts(operation, body).filter(({ role }) => role === 'user');
  return texts.map(({ text }) => text).join('\n');
}
