import { type DocumentPiece, piecesOf } from './document-pieces.ts';
import { type DocumentJob, type DocumentResult, readDocument } from './read-document.ts';

/** What the reading thread says: the document in pieces, each when it is asked for, then the result without it. */
export type FromReader =
  | { readonly kind: 'piece'; readonly piece: DocumentPiece }
  | { readonly kind: 'result'; readonly result: DocumentResult };

/** Reads a document and gives the messages that hand it over. */
export function* messagesOfReader(job: DocumentJob): Generator<FromReader> {
  const result = readDocument(job);
  if (!result.ok) {
    yield { kind: 'result', result };
    return;
  }
  for (const piece of piecesOf(result.document)) yield { kind: 'piece', piece };
  yield { kind: 'result', result: { ...result, document: undefined } };
}
