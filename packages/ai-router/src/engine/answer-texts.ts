import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { type TextPlace, TextSearch } from './text-places.ts';

/** Settings of a request: nothing of them is said to a model. */
const settings: ReadonlySet<string> = new Set([
  'model',
  'modalities',
  'include',
  'encoding_format',
  'service_tier',
  'reasoning_effort',
  'verbosity',
  'truncation',
  'previous_response_id',
  'tool_choice',
]);

/** All texts of a request, but settings: whoever sends a text chooses where it stands, and a provider may show a model any of it. */
export function requestTexts(body: JsonObject): readonly TextPlace[] {
  const search = new TextSearch();
  for (const field of Object.keys(body)) if (!settings.has(field)) search.visit(body, field);
  return search.places;
}

/** Whether a request says something in numbers of tokens, which no guard can read. */
export function hasTokenIds(body: JsonObject): boolean {
  return ['prompt', 'input'].some((field) => {
    const list = body[field];
    return Array.isArray(list) && list.some((item) => typeof item === 'number' || Array.isArray(item));
  });
}

/** All texts of an answer. Of a response only its output: the rest repeats the request. */
export function answerTexts(operation: AiOperation, body: JsonObject): readonly TextPlace[] {
  if (operation === 'embeddings') return [];
  const written = writtenTexts(operation, body);
  if (operation === 'responses') return written;
  return [...written, ...textsBeside(body, 'the answer', [fieldOfAnswer[operation]])];
}

const fieldOfAnswer = { chat: 'choices', completions: 'choices', messages: 'content', responses: 'output' } as const;

/** Those of them that a model wrote. */
export function writtenTexts(operation: AiOperation, body: JsonObject): readonly TextPlace[] {
  const search = new TextSearch();
  if (operation !== 'embeddings') search.visit(body, fieldOfAnswer[operation]);
  return search.places;
}

/** The texts of one chunk of a stream. @param at its place in the stream */
export function chunkTexts(operation: AiOperation, chunk: JsonObject, at: number): readonly TextPlace[] {
  const where = `event ${at}`;
  if (operation === 'responses') return responseEventTexts(chunk, where);
  const written = writtenPieces(operation, chunk, where);
  if (operation === 'messages') return [...written, ...textsBeside(chunk, where, ['delta', 'content_block'])];
  const choices = objectsIn(chunk['choices']).flatMap((choice, index) =>
    textsBeside(choice, `${where} ${index}`, ['delta', 'text', 'logprobs']),
  );
  return [...written, ...choices, ...textsBeside(chunk, where, ['choices'])];
}

/** Those of them that a model wrote; not of `responses`. */
export function writtenPieces(operation: AiOperation, chunk: JsonObject, where: string): readonly TextPlace[] {
  if (operation === 'messages') {
    const block = keyOf(chunk['index']);
    const search = new TextSearch(where, (_holder, field) => `block ${block} ${field}`);
    for (const field of ['delta', 'content_block']) search.visit(chunk, field);
    return search.places;
  }
  return objectsIn(chunk['choices']).flatMap((choice, place) => {
    const index = keyOf(choice['index'] ?? place);
    const search = new TextSearch(where, (_holder, field) => `${index} ${field}`);
    search.add(choice, 'text');
    const { delta } = choice;
    if (!isJsonObject(delta)) return search.places;
    for (const field of Object.keys(delta)) if (field !== 'tool_calls') search.visit(delta, field);
    const calls = objectsIn(delta['tool_calls']).flatMap((call) => {
      const inCall = new TextSearch(where, (_holder, field) => `${index} call ${keyOf(call['index'])} ${field}`);
      inCall.visit(call, 'function');
      return inCall.places;
    });
    return [...search.places, ...calls];
  });
}

/** What stands where no form has a text: some clients show that, too. */
function textsBeside(object: JsonObject, where: string, known: readonly string[]): readonly TextPlace[] {
  const search = new TextSearch(`${where} beside`);
  for (const field of Object.keys(object)) if (!known.includes(field)) search.visit(object, field);
  return search.places;
}

/** Such events tell texts in pieces, then whole; servers differ in which of them they send. */
function responseEventTexts(event: JsonObject, where: string): readonly TextPlace[] {
  const part = keyOf(event['content_index'] ?? event['summary_index']);
  const pieces = new TextSearch(where, () => `${String(event['type'])} ${keyOf(event['output_index'])} ${part}`);
  pieces.add(event, 'delta');
  const whole = new TextSearch(where);
  for (const field of ['text', 'arguments', 'refusal', 'part', 'item']) whole.visit(event, field);
  // The rest of the response repeats the request.
  const { response } = event;
  if (isJsonObject(response)) whole.visit(response, 'output');
  return [...pieces.places, ...whole.places];
}

/** What a model weighed says its text again, token by token: it leaves an answer in which something is masked. */
export function dropLogprobs(body: JsonObject): void {
  for (const choice of objectsIn(body['choices'])) if ('logprobs' in choice) choice['logprobs'] = null;
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** What a provider says a piece belongs to: a number, which some clients read from text, too. */
function keyOf(index: unknown): string {
  return typeof index === 'number' || typeof index === 'string' ? String(index) : '';
}
