import { isXmlText, referenceEnd } from './xml-characters.ts';
import { NAME } from './xml-names.ts';
import type { XmlAttribute, XmlDocument, XmlElement, XmlPlace } from './xml-tree.ts';

/** Deepest nesting of elements. Source: security, XML. */
export const XML_DEPTH_MAX = 64;

/** Most elements and attributes together. Each is some hundred bytes of memory while the document is edited. */
export const XML_NODES_MAX = 200_000;

/** Most attributes of one element: names and namespaces are looked for among them in turn. */
export const XML_ATTRIBUTES_MAX = 1000;

/** Most references (`&amp;`) in a document. Each is looked at by itself, some ten of them in a microsecond. */
export const XML_REFERENCES_MAX = 500_000;

/**
 * Why a text is not read. `malformed`: not well-formed, or with a document type, which is refused whatever is in it: entities are bombs
 * and ways to files and networks. `charset`: it says that it is not UTF-8. `too_large`: beyond the bounds of this file.
 */
export type XmlFault = 'malformed' | 'charset' | 'too_large';

/** @returns the document, well-formed by XML 1.0, or why it is not read. Time is linear in the text. Nothing in it is fetched */
export function readXml(source: string): XmlDocument | XmlFault {
  if (!isXmlText(source)) return 'malformed';
  try {
    return new XmlReader(source).read();
  } catch (fault) {
    if (fault instanceof XmlStop) return fault.fault;
    throw fault;
  }
}

/** Ends the reading; it never leaves this file. */
class XmlStop extends Error {
  override readonly name = 'XmlStop';
  readonly fault: XmlFault;

  constructor(fault: XmlFault) {
    super(fault);
    this.fault = fault;
  }
}

type Open = { -readonly [Key in keyof XmlPlace]: number };

/** An element that is read, with the place that is told where it ends once that is known. */
type Reading = Omit<XmlElement, 'place' | 'parent'> & { readonly place: Open; readonly parent: Reading | undefined };

const DECLARATION =
  /<\?xml[\t\n\r ]+version[\t\n\r ]*=[\t\n\r ]*(?:"1\.0"|'1\.0')(?:[\t\n\r ]+encoding[\t\n\r ]*=[\t\n\r ]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[\t\n\r ]+standalone[\t\n\r ]*=[\t\n\r ]*(?:"(?:yes|no)"|'(?:yes|no)'))?[\t\n\r ]*\?>/y;
const SPACE = /[\t\n\r ]*/y;
const TAG_NAME = new RegExp(NAME, 'uy');
const INSTRUCTION = new RegExp(`(${NAME})(?=[\\t\\n\\r ]|\\?>)`, 'uy');
const ATTRIBUTE = new RegExp(`[\\t\\n\\r ]+(${NAME})[\\t\\n\\r ]*=[\\t\\n\\r ]*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const READ_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

class XmlReader {
  readonly #source: string;
  #at = 0;
  #nodes = 0;
  #references = 0;
  /** The next `]]>` at or behind the place that is read: looked for once, so that many texts cost no more than one. */
  #nextSectionEnd = -1;

  constructor(source: string) {
    this.#source = source;
  }

  read(): XmlDocument {
    const declarationEnd = this.#declaration();
    this.#around();
    const root = this.#tree();
    this.#around();
    if (this.#at < this.#source.length) throw new XmlStop('malformed');
    return { source: this.#source, declarationEnd, root };
  }

  #declaration(): number {
    DECLARATION.lastIndex = 0;
    const found = DECLARATION.exec(this.#source);
    if (found === null) return 0;
    const charset = found[1] ?? found[2];
    if (charset !== undefined && !READ_CHARSETS.has(charset.toLowerCase())) throw new XmlStop('charset');
    this.#at = DECLARATION.lastIndex;
    return this.#at;
  }

  /** White space, comments and instructions before and behind the root. A document type is none of them, and so refused. */
  #around(): void {
    for (;;) {
      SPACE.lastIndex = this.#at;
      SPACE.test(this.#source);
      this.#at = SPACE.lastIndex;
      if (this.#source.startsWith('<?', this.#at)) this.#instruction();
      else if (this.#source.startsWith('<!--', this.#at)) this.#comment();
      else return;
    }
  }

  #tree(): XmlElement {
    let open: Reading | undefined;
    let depth = 0;
    for (;;) {
      if (open !== undefined) this.#content();
      if (open !== undefined && this.#source.startsWith('</', this.#at)) {
        this.#endTag(open);
        depth -= 1;
        if (open.parent === undefined) return open;
        open = open.parent;
        continue;
      }
      if (depth === XML_DEPTH_MAX) throw new XmlStop('too_large');
      const element = this.#startTag(open);
      open?.children.push(element);
      if (this.#source.startsWith('/>', this.#at)) {
        this.#at += 2;
        const { place } = element;
        place.contentStart = place.contentEnd = place.end = this.#at;
        if (open === undefined) return element;
        continue;
      }
      this.#expect('>');
      element.place.contentStart = this.#at;
      open = element;
      depth += 1;
    }
  }

  #startTag(parent: Reading | undefined): Reading {
    const start = this.#at;
    this.#expect('<');
    const name = this.#matched(TAG_NAME)[0];
    const attributes = this.#attributes();
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#source);
    this.#at = SPACE.lastIndex;
    const place: Open = { start, headEnd: this.#at, contentStart: 0, contentEnd: 0, end: 0 };
    // Written out: there are a hundred thousand of them.
    return {
      name,
      parent,
      attributes,
      children: [],
      place,
      content: undefined,
      isRemoved: false,
      isTagChanged: false,
      isChanged: false,
    };
  }

  #attributes(): XmlAttribute[] {
    const attributes: XmlAttribute[] = [];
    let names: Set<string> | undefined;
    this.#count();
    for (;;) {
      ATTRIBUTE.lastIndex = this.#at;
      const found = ATTRIBUTE.exec(this.#source);
      if (found === null) return attributes;
      const [, name = '', double, single = ''] = found;
      names ??= new Set();
      if (names.has(name)) throw new XmlStop('malformed');
      names.add(name);
      if (names.size > XML_ATTRIBUTES_MAX) throw new XmlStop('too_large');
      this.#count();
      const end = ATTRIBUTE.lastIndex;
      const rawValue = double ?? single;
      this.#checkReferences(end - 1 - rawValue.length, end - 1);
      const edits = { value: undefined, isRemoved: false, isRenamed: false };
      attributes.push({ name, start: this.#at, end, rawValue, ...edits });
      this.#at = end;
    }
  }

  /** What is between tags, up to the next tag: text, comments, instructions and CDATA. */
  #content(): void {
    for (;;) {
      const end = this.#source.indexOf('<', this.#at);
      if (end < 0) throw new XmlStop('malformed');
      if (end > this.#at) this.#text(end);
      this.#at = end;
      const next = this.#source[end + 1];
      if (next === '?') this.#instruction();
      else if (next !== '!') return;
      else if (this.#source.startsWith('<!--', end)) this.#comment();
      else if (this.#source.startsWith('<![CDATA[', end)) this.#at = this.#behind(']]>', end + '<![CDATA['.length);
      else throw new XmlStop('malformed');
    }
  }

  #text(end: number): void {
    if (this.#nextSectionEnd < this.#at) {
      const found = this.#source.indexOf(']]>', this.#at);
      this.#nextSectionEnd = found < 0 ? this.#source.length : found;
    }
    if (this.#nextSectionEnd < end) throw new XmlStop('malformed');
    this.#checkReferences(this.#at, end);
  }

  #checkReferences(start: number, end: number): void {
    // Of a part, because the rest of the text may have none.
    const part = this.#source.slice(start, end);
    for (let at = part.indexOf('&'); at >= 0; at = part.indexOf('&', at + 1)) {
      this.#references += 1;
      if (this.#references > XML_REFERENCES_MAX) throw new XmlStop('too_large');
      if (referenceEnd(part, at) === undefined) throw new XmlStop('malformed');
    }
  }

  #instruction(): void {
    this.#at += 2;
    const target = this.#matched(INSTRUCTION)[1] ?? '';
    if (target.toLowerCase() === 'xml') throw new XmlStop('malformed');
    this.#at = this.#behind('?>', this.#at);
  }

  #comment(): void {
    const dashes = this.#behind('--', this.#at + '<!--'.length);
    this.#at = dashes;
    this.#expect('>');
  }

  #endTag({ name, place }: Reading): void {
    place.contentEnd = this.#at;
    this.#at += 2;
    this.#expect(name);
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#source);
    this.#at = SPACE.lastIndex;
    this.#expect('>');
    place.end = this.#at;
  }

  #behind(mark: string, from: number): number {
    const found = this.#source.indexOf(mark, from);
    if (found < 0) throw new XmlStop('malformed');
    return found + mark.length;
  }

  #expect(text: string): void {
    if (!this.#source.startsWith(text, this.#at)) throw new XmlStop('malformed');
    this.#at += text.length;
  }

  #matched(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) throw new XmlStop('malformed');
    this.#at = pattern.lastIndex;
    return found;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > XML_NODES_MAX) throw new XmlStop('too_large');
  }
}
