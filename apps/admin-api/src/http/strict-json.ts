import { parsedAs, type ParsedDocument } from './parsed-document.ts';

/** Parses JSON as RFC 8259 has it, without what `JSON.parse` lets pass; the rules are those of `parseDocument`. */
export function parseStrictJson(text: string): ParsedDocument {
  return parsedAs('json', text);
}
