import { isJsonObject, type AiOperation, type JsonObject } from '@portcullis/ai-router';
import type { AnswerDocument } from './answer-document.ts';

/** One text that a model wrote for a reader, all its pieces together. */
export interface WrittenText {
  readonly text: string;
  /** Puts another text in its place: in the first piece, and nothing in the others. */
  replace(text: string): void;
}

interface Piece {
  readonly key: string;
  readonly holder: JsonObject;
  readonly field: string;
}

/**
 * What a model wrote for a reader: the contents of messages, without what it calls tools with and what it thought. In an answer of no known
 * form there is none. In a stream of responses, which tells each text in pieces and whole, each telling is one.
 */
export function writtenTexts({ form, isStream, values }: AnswerDocument): readonly WrittenText[] {
  if (form === undefined || form === 'embeddings') return [];
  const groups = new Map<string, Piece[]>();
  for (const [at, value] of values.entries()) {
    for (const piece of isStream ? streamPieces(form, value, at) : wholePieces(form, value)) {
      const known = groups.get(piece.key);
      if (known === undefined) groups.set(piece.key, [piece]);
      else known.push(piece);
    }
  }
  return [...groups.values()].map(writtenText);
}

function writtenText(pieces: readonly Piece[]): WrittenText {
  return {
    text: pieces.map(({ holder, field }) => holder[field]).join(''),
    replace(text) {
      for (const [index, { holder, field }] of pieces.entries()) holder[field] = index === 0 ? text : '';
    },
  };
}

function wholePieces(form: AiOperation, value: JsonObject): readonly Piece[] {
  if (form === 'messages') return partPieces('content', value['content'], 'text');
  if (form === 'responses') return outputPieces(value);
  return objectsIn(value['choices']).flatMap((choice, at) => {
    if (form === 'completions') return pieceOf(`choice ${at}`, choice, 'text');
    return isJsonObject(choice['message']) ? contentPieces(`choice ${at}`, choice['message']) : [];
  });
}

function streamPieces(form: AiOperation, value: JsonObject, at: number): readonly Piece[] {
  if (form === 'responses') return responsePieces(value, at);
  if (form === 'messages') return blockPieces(value);
  return objectsIn(value['choices']).flatMap((choice, place) => {
    const key = `choice ${keyOf(choice['index'] ?? place)}`;
    if (form === 'completions') return pieceOf(key, choice, 'text');
    return isJsonObject(choice['delta']) ? pieceOf(key, choice['delta'], 'content') : [];
  });
}

function blockPieces(event: JsonObject): readonly Piece[] {
  const key = `block ${keyOf(event['index'])}`;
  const { delta, content_block: block } = event;
  if (isJsonObject(delta) && delta['type'] === 'text_delta') return pieceOf(key, delta, 'text');
  return isJsonObject(block) && block['type'] === 'text' && block['text'] !== '' ? pieceOf(key, block, 'text') : [];
}

function responsePieces(event: JsonObject, at: number): readonly Piece[] {
  const { type, part, item, response } = event;
  const place = `${keyOf(event['output_index'])} ${keyOf(event['content_index'])}`;
  if (type === 'response.output_text.delta') return pieceOf(`delta ${place}`, event, 'delta');
  if (type === 'response.output_text.done') return pieceOf(`whole ${at}`, event, 'text');
  const within = [
    ...(isJsonObject(part) && part['type'] === 'output_text' ? pieceOf('part', part, 'text') : []),
    ...(isJsonObject(item) ? partPieces('item', item['content'], 'output_text') : []),
    ...(isJsonObject(response) ? outputPieces(response) : []),
  ];
  return within
    .filter(({ holder, field }) => holder[field] !== '')
    .map((piece) => ({ ...piece, key: `${at} ${piece.key}` }));
}

function outputPieces(response: JsonObject): readonly Piece[] {
  return objectsIn(response['output']).flatMap((item, at) =>
    partPieces(`output ${at}`, item['content'], 'output_text'),
  );
}

/** A content is a text, or a list of parts. */
function contentPieces(key: string, message: JsonObject): readonly Piece[] {
  return Array.isArray(message['content'])
    ? partPieces(key, message['content'], 'text')
    : pieceOf(key, message, 'content');
}

function partPieces(key: string, parts: unknown, type: string): readonly Piece[] {
  return objectsIn(parts).flatMap((part, at) => (part['type'] === type ? pieceOf(`${key} ${at}`, part, 'text') : []));
}

function pieceOf(key: string, holder: JsonObject, field: string): readonly Piece[] {
  return typeof holder[field] === 'string' ? [{ key, holder, field }] : [];
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** A number, which some clients read from text, too. */
function keyOf(index: unknown): string {
  return typeof index === 'number' || typeof index === 'string' ? String(index) : '';
}
