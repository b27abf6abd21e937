import { ENUMERATED, INTEGER, MalformedMessage, OCTETS, SEQUENCE, elementsOf, numberOf, type Element } from './ber.ts';

/** What a message is. Source: RFC 4511, section 4. */
export const BIND_RESPONSE = 0x61;
export const SEARCH_ENTRY = 0x64;
export const SEARCH_DONE = 0x65;
export const EXTENDED_RESPONSE = 0x78;

/** Result codes. Source: RFC 4511, appendix A. */
export const SUCCESS = 0;

/** One message of a directory. */
export interface Answer {
  readonly id: number;
  /** Tag of the operation. */
  readonly operation: number;
  readonly parts: readonly Element[];
}

/** Attributes of an entry: names in lower case. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the content of a message's sequence. Controls are not looked at: none was asked for.
 * @throws MalformedMessage
 */
export function answerOf(content: Buffer): Answer {
  const [id, operation] = elementsOf(content);
  if (id?.tag !== INTEGER || operation === undefined)
    throw new MalformedMessage('a message has no number or no operation');
  return { id: numberOf(id), operation: operation.tag, parts: elementsOf(operation.content) };
}

/** The result code of an answer that has one. @throws MalformedMessage */
export function resultCodeOf({ parts: [code] }: Answer): number {
  if (code?.tag !== ENUMERATED) throw new MalformedMessage('an answer has no result code');
  return numberOf(code);
}

/** The attributes of an answer that is an entry. @throws MalformedMessage */
export function attributesOf({ parts: [, list] }: Answer): Attributes {
  const attributes = new Map<string, readonly string[]>();
  for (const { content } of partsOf(list, SEQUENCE)) {
    const [name, values] = elementsOf(content);
    if (name?.tag !== OCTETS) throw new MalformedMessage('an attribute has no name');
    const texts = partsOf(values, SET).map((value) => value.content.toString('utf8'));
    attributes.set(name.content.toString('latin1').toLowerCase(), texts);
  }
  return attributes;
}

const SET = 0x31;

function partsOf(list: Element | undefined, tag: number): readonly Element[] {
  if (list?.tag !== tag) throw new MalformedMessage('a list is missing');
  return elementsOf(list.content);
}
