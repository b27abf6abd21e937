import { isJsonObject, type AiOperation } from '@portcullis/ai-router';
import type { RequestView } from '@portcullis/plugin-runtime';

/** Ends of paths, the longest first where one ends with another. Source: ai, Endpoints. */
const endings: readonly (readonly [string, AiOperation])[] = [
  ['/chat/completions', 'chat'],
  ['/completions', 'completions'],
  ['/embeddings', 'embeddings'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
];

/** What a request asks for, as the end of its path says it; `undefined` where that says nothing. */
export function operationOfPath({ path }: Pick<RequestView, 'path'>): AiOperation | undefined {
  const end = path.endsWith('/') ? path.slice(0, -1) : path;
  return endings.find(([ending]) => end.endsWith(ending))?.[1];
}

/**
 * What a request's body asks for where its path does not say: services have paths of their own. Anthropic's form cannot be told from
 * OpenAI's in a request.
 */
export function operationOfBody(body: unknown): AiOperation | undefined {
  if (!isJsonObject(body)) return undefined;
  if (Array.isArray(body['messages'])) return 'chat';
  if (body['input'] !== undefined) return 'responses';
  return body['prompt'] === undefined ? undefined : 'completions';
}

/** In which form an answer, or an event of a stream of one, is; `undefined` for one of nobody's that is known. */
export function operationOfAnswer(value: unknown): AiOperation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { choices, type, object } = value;
  if (Array.isArray(choices)) return choices.some((one) => isJsonObject(one) && 'text' in one) ? 'completions' : 'chat';
  if (object === 'response' || (typeof type === 'string' && type.startsWith('response.'))) return 'responses';
  if (object === 'list' && isEmbedding(value['data'])) return 'embeddings';
  return typeof type === 'string' && messageTypes.has(type) ? 'messages' : undefined;
}

const messageTypes: ReadonlySet<string> = new Set([
  'message',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

/** Lists of anything have this form: models and files, too. */
function isEmbedding(data: unknown): boolean {
  return Array.isArray(data) && data.every((one) => isJsonObject(one) && one['object'] === 'embedding');
}
