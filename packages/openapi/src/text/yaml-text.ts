import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import type { Document, YAMLMap } from 'yaml';
import { descriptionLimits } from '../limits.ts';

/** Stops reading at an offset of the text. It never leaves this folder. */
export class TextError extends Error {
  override readonly name = 'TextError';
  readonly code = 'description_text';
  /** UTF-16 units from the start of the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Composes the one YAML 1.2 document of a text with the core schema and merge keys. JSON is YAML, too.
 * @throws TextError at the first mistake; its message never quotes the text
 */
export function composeYaml(text: string): Document {
  const [document, second] = composeAll(text);
  if (!document) throw new TextError('the text is empty', 0);
  if (second) throw new TextError('only one YAML document is allowed', second.range?.[0] ?? 0);
  const mistake = document.errors[0] ?? document.warnings[0];
  // The library's message quotes the text; its code does not.
  if (mistake)
    throw new TextError(`YAML rule broken: ${mistake.code.toLowerCase().replaceAll('_', ' ')}`, mistake.pos[0]);
  checkNode(document.contents, 1, { aliases: 0, aliasedLength: 0, anchors: new Map() });
  return document;
}

/** The plain value of a composed document. @throws TextError for a merge key of what is no object, and for aliases that nest too deeply */
export function plainValue(document: Document): unknown {
  try {
    // What aliases repeat is bounded already, and by its length: the library counts each use of one anchor.
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (error instanceof RangeError) throw new TextError('aliases nest too deeply', 0);
    throw new TextError('a merge key (<<) must lead to an object, or to a list of objects', 0);
  }
}

function composeAll(text: string): readonly Document[] {
  try {
    // `uniqueKeys` of the library compares each key with all others; checkMap is linear.
    const options = { version: '1.2', schema: 'core', strict: true, uniqueKeys: false, merge: true } as const;
    const found = parseAllDocuments(text, { ...options, prettyErrors: false, logLevel: 'silent' });
    return Array.isArray(found) ? found : [];
  } catch (error) {
    if (error instanceof RangeError) throw new TextError('nested too deeply', 0);
    throw error;
  }
}

/** What was met so far on the way through a document. */
interface Seen {
  aliases: number;
  /** Characters that aliases repeat, those within them included. */
  aliasedLength: number;
  /** How many characters each anchor stands for. */
  readonly anchors: Map<string, number>;
}

function checkNode(node: unknown, depth: number, seen: Seen): void {
  if (isAlias(node)) {
    const length = seen.anchors.get(node.source) ?? fail(node, 'an alias has no anchor before it');
    seen.aliases += 1;
    seen.aliasedLength += length;
    if (seen.aliases > descriptionLimits.aliasesMax) fail(node, `more than ${descriptionLimits.aliasesMax} aliases`);
    if (seen.aliasedLength > descriptionLimits.aliasedLengthMax) fail(node, 'aliases repeat too much');
    return;
  }
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
  const aliasedBefore = seen.aliasedLength;
  if (!isScalar(node)) {
    if (depth > descriptionLimits.depthMax) fail(node, `nested deeper than ${descriptionLimits.depthMax} levels`);
    if (isSeq(node)) for (const item of node.items) checkNode(item, depth + 1, seen);
    else checkMap(node, depth, seen);
  }
  // Only now: an alias inside what it repeats would never end.
  if (node.anchor !== undefined) {
    const [start = 0, end = start] = node.range ?? [];
    seen.anchors.set(node.anchor, end - start + seen.aliasedLength - aliasedBefore);
  }
}

function checkMap(map: YAMLMap, depth: number, seen: Seen): void {
  const names = new Set<string>();
  for (const { key, value } of map.items) {
    if (!isScalar(key)) fail(map, 'keys must be plain values');
    const name = String(key.value);
    if (names.has(name)) fail(key, 'a key is given twice in one object');
    names.add(name);
    checkNode(value, depth + 1, seen);
  }
}

function fail(node: { range?: readonly number[] | null | undefined }, message: string): never {
  throw new TextError(message, node.range?.[0] ?? 0);
}
