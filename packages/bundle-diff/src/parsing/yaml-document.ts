import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import type { Document, Scalar, YAMLMap } from 'yaml';
import { DocumentSyntaxError, documentLimits, forbiddenKeys } from './document-limits.ts';
import { unstorableOffset } from './text-position.ts';

/**
 * Composes the one YAML 1.2 document of a text with the core schema. Tags, several documents, duplicate, prototype and
 * non-plain keys, numbers that are not finite, and whatever the library only warns of are refused; escapes of NUL or
 * half a surrogate pair are too, unless they are kept.
 * Source: wire contract, Configuration operations.
 * @throws DocumentSyntaxError at the first mistake; its message never quotes the document
 */
export function composeYaml(text: string, keepsUnstorable: boolean): Document {
  const [document, second] = composeAll(text);
  if (!document) throw new DocumentSyntaxError('the document is empty', 0);
  if (second) throw new DocumentSyntaxError('only one document is allowed', second.range?.[0] ?? 0);
  const mistake = document.errors[0] ?? document.warnings[0];
  // The library's message quotes the document; its code does not.
  if (mistake) throw new DocumentSyntaxError(ruleText(mistake.code), mistake.pos[0]);
  checkNode(document.contents, 1, { keepsUnstorable, aliases: 0, aliasedLength: 0, anchors: new Map() });
  return document;
}

/** The plain value of a composed document. @throws DocumentSyntaxError for aliases that nest too deeply */
export function plainValue(document: Document): unknown {
  // What aliases repeat is bounded already, and by its length: the library counts each use of one anchor.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  if (isDeeperThan(value, documentLimits.depthMax)) throw new DocumentSyntaxError('aliases nest too deeply', 0);
  return value;
}

/** Offset where the value at some steps begins, if there is one. */
export function offsetOfYaml(document: Document, steps: readonly string[]): number | undefined {
  const node = steps.length === 0 ? document.contents : document.getIn(steps, true);
  return (node as { range?: readonly number[] } | undefined | null)?.range?.[0];
}

function composeAll(text: string): readonly Document[] {
  try {
    // `uniqueKeys` of the library compares each key with all others; checkMap is linear.
    const found = parseAllDocuments(text, {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    return Array.isArray(found) ? found : [];
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentSyntaxError('nested too deeply', 0);
    throw error;
  }
}

/** What the commonest mistakes are called. The other codes of the library are shown in words. */
const ruleTexts: Readonly<Record<string, string>> = {
  BAD_INDENT: 'the indentation does not fit what is around it',
  BLOCK_AS_IMPLICIT_KEY: 'a value is not allowed here: check the indentation and the colons above',
  MISSING_CHAR: 'a closing quote, bracket, comma or colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line: a colon may be missing',
  TAB_AS_INDENT: 'tabs must not indent',
  TAG_RESOLVE_FAILED: 'tags are not allowed',
  UNEXPECTED_TOKEN: 'something stands where nothing may',
};

function ruleText(code: string): string {
  return ruleTexts[code] ?? `YAML rule broken: ${code.toLowerCase().replaceAll('_', ' ')}`;
}

/** What was met so far on the way through a document, and what may be. */
interface Seen {
  readonly keepsUnstorable: boolean;
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
    if (seen.aliases > documentLimits.aliasesMax) fail(node, `more than ${documentLimits.aliasesMax} aliases`);
    if (seen.aliasedLength > documentLimits.aliasedLengthMax) fail(node, 'aliases repeat too much');
    return;
  }
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
  if (node.tag !== undefined) fail(node, 'tags are not allowed');
  const aliasedBefore = seen.aliasedLength;
  if (isScalar(node)) checkScalar(node, seen.keepsUnstorable);
  else if (depth > documentLimits.depthMax) fail(node, `nested deeper than ${documentLimits.depthMax} levels`);
  else if (isSeq(node)) for (const item of node.items) checkNode(item, depth + 1, seen);
  else checkMap(node, depth, seen);
  // Only now: an alias inside what it repeats would never end.
  if (node.anchor !== undefined) {
    const [start = 0, end = start] = node.range ?? [];
    seen.anchors.set(node.anchor, end - start + seen.aliasedLength - aliasedBefore);
  }
}

function checkScalar(node: Scalar, keepsUnstorable: boolean): void {
  if (typeof node.value === 'number' && !Number.isFinite(node.value)) fail(node, 'numbers must be finite');
  if (!keepsUnstorable && typeof node.value === 'string' && unstorableOffset(node.value) !== undefined) {
    fail(node, 'a text holds U+0000 or half a surrogate pair');
  }
}

function checkMap(map: YAMLMap, depth: number, seen: Seen): void {
  if (map.items.length > documentLimits.keysPerObjectMax) {
    fail(map, `an object has more than ${documentLimits.keysPerObjectMax} keys`);
  }
  const names = new Set<string>();
  for (const { key, value } of map.items) {
    if (!isScalar(key)) fail(isMap(key) || isSeq(key) || isAlias(key) ? key : map, 'keys must be plain values');
    checkNode(key, depth, seen);
    const name = keyText(key.value);
    if (forbiddenKeys.has(name)) fail(key, 'this key is not allowed');
    if (names.has(name)) fail(key, 'a key is given twice in one object');
    names.add(name);
    checkNode(value, depth + 1, seen);
  }
}

/** A plain key as it reads in the document's value. */
function keyText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function fail(node: { range?: readonly number[] | null | undefined }, message: string): never {
  throw new DocumentSyntaxError(message, node.range?.[0] ?? 0);
}
