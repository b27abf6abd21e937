import { NCNAME, QNAME, isDeclaration } from '../document/xml-names.ts';

/** Longest path of a config, in characters, and most steps in it. */
export const PATH_LENGTH_MAX = 1024;
export const PATH_STEPS_MAX = 64;

/** Which names a step means. */
export type NameTest =
  /** As it is written in the document, prefix and all. */
  | { readonly kind: 'written'; readonly name: string }
  /** Of any prefix, or of none. */
  | { readonly kind: 'local'; readonly local: string }
  /** Of any name with a prefix. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  /** Of a namespace, whatever its prefix; without a local name all of it. The empty namespace is that of names in none. */
  | { readonly kind: 'namespace'; readonly uri: string; readonly local: string | undefined }
  | { readonly kind: 'any' };

/** What an element has to be beside its name. */
export type Predicate =
  /** Its place among those of its parent that the step means so far, from 1. */
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string | undefined };

/** One step down. */
export interface PathStep {
  /** Whether it leads to all depths (`//`), and not to children alone. */
  readonly isDeep: boolean;
  /** Whether what it starts from is meant, too. */
  readonly isSelfToo?: boolean;
  readonly test: NameTest;
  readonly predicates: readonly Predicate[];
}

/** A path that was compiled. */
export interface XmlPath {
  readonly steps: readonly PathStep[];
  /** The attributes that it ends in; `undefined` where it means elements. */
  readonly attribute: NameTest | undefined;
}

const TEST = `(?:Q\\{([^{}]*)\\}(\\*|${NCNAME})|\\*:(${NCNAME})|(${NCNAME}):\\*|(\\*)|(${QNAME}))`;
const STEP = new RegExp(`(//?)(@?)${TEST}`, 'uy');
const PREDICATE = new RegExp(`\\[(?:([1-9]\\d{0,5})|@(${QNAME})(?:=(?:"([^"]*)"|'([^']*)'))?)\\]`, 'uy');

/**
 * Compiles a path: a small part of XPath 3.1's abbreviated paths, with its meaning. `/order/el`, `//el`, `/order/*`, `/order/el[2]`,
 * `/order/el[@id='a']`, `/order/el/@attr`, `/soap:Envelope` (as written), `/*:Envelope` (any prefix), `/Q{urn:x}el` (namespace). A path
 * without a slash at its beginning has one.
 * @returns the path, or the rule that it breaks
 */
export function compilePath(text: string): XmlPath | string {
  const path = text.startsWith('/') ? text : `/${text}`;
  const steps: PathStep[] = [];
  let at = 0;
  while (at < path.length) {
    STEP.lastIndex = at;
    const found = STEP.exec(path);
    if (found === null) return `is no path at character ${at + 1}`;
    at = STEP.lastIndex;
    const test = testOf(found);
    if (found[2] === '@') return attributePath(steps, found[1] === '//', test, at === path.length);
    const read = predicatesAt(path, at);
    at = read.end;
    steps.push({ isDeep: found[1] === '//', test, predicates: read.predicates });
    if (steps.length > PATH_STEPS_MAX) return `must have at most ${PATH_STEPS_MAX} steps`;
  }
  return { steps, attribute: undefined };
}

function attributePath(
  steps: readonly PathStep[],
  isDeep: boolean,
  attribute: NameTest,
  isLast: boolean,
): XmlPath | string {
  if (steps.length === 0 && !isDeep) return 'must name an element before an attribute';
  if (!isLast) return 'must end in its attribute: /order/el/@attr';
  if (attribute.kind === 'written' && isDeclaration(attribute.name)) return 'names a namespace declaration';
  return { steps: isDeep ? [...steps, ALL_WITHIN] : steps, attribute };
}

/** What `//` before an attribute stands for. */
const ALL_WITHIN: PathStep = { isDeep: true, isSelfToo: true, test: { kind: 'any' }, predicates: [] };

function testOf([, , , uri, ofUri, local, prefix, any, name = '']: RegExpExecArray): NameTest {
  if (uri !== undefined) return { kind: 'namespace', uri, local: ofUri === '*' ? undefined : ofUri };
  if (local !== undefined) return { kind: 'local', local };
  if (prefix !== undefined) return { kind: 'prefix', prefix };
  return any === undefined ? { kind: 'written', name } : { kind: 'any' };
}

function predicatesAt(
  path: string,
  start: number,
): { readonly predicates: readonly Predicate[]; readonly end: number } {
  const predicates: Predicate[] = [];
  let end = start;
  for (;;) {
    PREDICATE.lastIndex = end;
    const found = PREDICATE.exec(path);
    if (found === null) return { predicates, end };
    end = PREDICATE.lastIndex;
    const [, position, name = '', double, single] = found;
    predicates.push(
      position === undefined
        ? { kind: 'attribute', name, value: double ?? single }
        : { kind: 'position', position: Number(position) },
    );
  }
}

/** The name that a step can give to what it makes; `undefined` for steps that mean more than one name or place. */
export function madeName({ isDeep, test, predicates }: PathStep): string | undefined {
  return !isDeep && predicates.length === 0 && test.kind === 'written' ? test.name : undefined;
}
