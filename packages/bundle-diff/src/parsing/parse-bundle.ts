import { parseDocument } from './parse-document.ts';
import type { ParsedDocument, ParseDocumentOptions } from './parse-document.ts';

/** Options of {@link parseBundle}. */
export type ParseBundleOptions = Pick<ParseDocumentOptions, 'format'>;

/** A parsed bundle, or its first mistake. */
export type ParsedBundle = ParsedDocument;

/**
 * Parses the text of a bundle by the rules of {@link parseDocument}. Text that no store keeps faithfully is always
 * refused: a bundle is read to be stored. Source: wire contract, Configuration operations.
 */
export function parseBundle(text: string, options: ParseBundleOptions = {}): ParsedBundle {
  return parseDocument(text, { ...options, unstorableText: 'refuse' });
}
