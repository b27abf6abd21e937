import { parsedAs, type ParsedDocument } from './parsed-document.ts';

/** Parses one YAML 1.2 document with the core schema; the rules are those of `parseDocument`. */
export function parseStrictYaml(text: string): ParsedDocument {
  return parsedAs('yaml', text);
}
