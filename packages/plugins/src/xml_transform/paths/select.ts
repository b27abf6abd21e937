import { attributeMeaning } from '../document/xml-characters.ts';
import { isDeclaration } from '../document/xml-names.ts';
import { attributeOf, type XmlAttribute, type XmlElement } from '../document/xml-tree.ts';
import { meansAttribute, meansElement } from './name-tests.ts';
import type { NameTest, PathStep, Predicate } from './xml-path.ts';

/**
 * Most elements that the paths of one config may look at in one document, all together: some tens of milliseconds, in which a gateway does
 * nothing else.
 */
export const VISITS_MAX = 2_000_000;

/** What looks at elements of one document, and counts them. */
export class Selection {
  /** A parent of the root, so that the first step is one like the others. */
  readonly document: XmlElement;
  #visits = 0;

  constructor(root: XmlElement) {
    const edits = { content: undefined, isRemoved: false, isTagChanged: false, isChanged: true };
    this.document = { name: '', parent: undefined, attributes: [], children: [root], place: undefined, ...edits };
  }

  /** Whether it has looked at more than it may: what it gives from then on is nothing. */
  get isExhausted(): boolean {
    return this.#visits > VISITS_MAX;
  }

  /** The elements that a step leads to from others, each once. */
  from(contexts: readonly XmlElement[], step: PathStep): readonly XmlElement[] {
    const { isDeep, isSelfToo = false, test, predicates } = step;
    const parents = isDeep ? this.#within(contexts) : contexts;
    if (isSelfToo) return parents.filter((element) => element !== this.document);
    const found: XmlElement[] = [];
    for (const parent of parents) {
      const means = (child: XmlElement): boolean => !child.isRemoved && meansElement(test, child);
      if (parent.children.length === 0) continue;
      this.#visits += parent.children.length;
      if (this.isExhausted) return [];
      const meant = parent.children.filter(means);
      const kept = meant.length === 0 ? meant : predicates.reduce(filtered, meant);
      for (const child of kept) found.push(child);
    }
    return found;
  }

  /** The attributes of an element that a test means; declarations of namespaces are none. */
  attributes(element: XmlElement, test: NameTest): readonly XmlAttribute[] {
    return element.attributes.filter(
      ({ name, isRemoved }) => !isRemoved && !isDeclaration(name) && meansAttribute(test, element, name),
    );
  }

  /** The elements and all that is in them, each once, in any order. */
  #within(contexts: readonly XmlElement[]): readonly XmlElement[] {
    // Of several elements some may be within others.
    const seen = contexts.length > 1 ? new Set<XmlElement>() : undefined;
    const found: XmlElement[] = [];
    const waiting = [...contexts];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at.isRemoved || seen?.has(at) === true) continue;
      seen?.add(at);
      found.push(at);
      this.#visits += 1;
      if (this.isExhausted) return [];
      for (const child of at.children) waiting.push(child);
    }
    return found;
  }
}

function filtered(elements: readonly XmlElement[], predicate: Predicate): XmlElement[] {
  if (predicate.kind === 'position') return elements.slice(predicate.position - 1, predicate.position);
  return elements.filter((element) => {
    const attribute = attributeOf(element, predicate.name);
    if (attribute === undefined) return false;
    return (
      predicate.value === undefined || (attribute.value ?? attributeMeaning(attribute.rawValue)) === predicate.value
    );
  });
}
