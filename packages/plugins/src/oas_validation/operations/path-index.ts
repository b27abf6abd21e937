import type { Operation, TemplateSegment } from '@portcullis/openapi';

/** The operations of one path template. */
export interface PathEntry<T> {
  readonly path: string;
  readonly methods: ReadonlyMap<string, T>;
}

/** A path of the description that a request's path is one of. */
export interface PathMatch<T> {
  readonly entry: PathEntry<T>;
  /** What the parameters stand for, as it is in the path: percent-encoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

interface Node<T> {
  /** By the segment, decoded. */
  readonly literals: Map<string, Node<T>>;
  readonly templates: { readonly segment: TemplateSegment; readonly node: Node<T> }[];
  /** Parameters that take the rest of the path. */
  readonly rests: { readonly name: string; readonly entry: PathEntry<T> }[];
  entry: PathEntry<T> | undefined;
}

/**
 * Finds the path template of a path: literal segments before templates, and of templates those that come first in the description. Source:
 * OpenAPI 3.1.1, 4.8.8.2. A look-up goes to each node of the tree at most once, whatever the path is.
 */
export class PathIndex<T> {
  readonly #root: Node<T> = newNode();

  /** @param valueOf what is kept for an operation */
  constructor(operations: readonly Operation[], valueOf: (operation: Operation) => T) {
    const paths = new Map<string, { segments: readonly TemplateSegment[]; methods: Map<string, T> }>();
    for (const operation of operations) {
      const { path, segments, method } = operation;
      const known = paths.get(path) ?? { segments, methods: new Map<string, T>() };
      known.methods.set(method, valueOf(operation));
      paths.set(path, known);
    }
    for (const [path, { segments, methods }] of paths) this.#add(segments, { path, methods });
  }

  find(path: string): PathMatch<T> | undefined {
    return found(this.#root, path.slice(1).split('/'), 0, new Map());
  }

  #add(segments: readonly TemplateSegment[], entry: PathEntry<T>): void {
    let node = this.#root;
    for (const [index, segment] of segments.entries()) {
      const [part] = segment;
      const isRest = segment.length === 1 && part?.kind === 'parameter' && part.isGreedy;
      if (isRest && index === segments.length - 1) {
        node.rests.push({ name: part.name, entry });
        return;
      }
      node = below(node, segment);
    }
    // Templates that differ in the names of their parameters alone are one and the same: the first counts.
    node.entry ??= entry;
  }
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), templates: [], rests: [], entry: undefined };
}

function below<T>(node: Node<T>, segment: TemplateSegment): Node<T> {
  const literal = literalOf(segment);
  const key = JSON.stringify(segment);
  const known =
    literal === undefined
      ? node.templates.find((template) => JSON.stringify(template.segment) === key)?.node
      : node.literals.get(literal);
  if (known !== undefined) return known;
  const made = newNode<T>();
  if (literal === undefined) node.templates.push({ segment, node: made });
  else node.literals.set(literal, made);
  return made;
}

function literalOf(segment: TemplateSegment): string | undefined {
  const texts = segment.map((part) => (part.kind === 'literal' ? part.text : undefined));
  return texts.includes(undefined) ? undefined : decoded(texts.join(''));
}

function found<T>(
  node: Node<T>,
  segments: readonly string[],
  at: number,
  parameters: ReadonlyMap<string, string>,
): PathMatch<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.entry && { entry: node.entry, parameters };
  const literal = node.literals.get(decoded(segment));
  const exact = literal && found(literal, segments, at + 1, parameters);
  if (exact !== undefined) return exact;
  for (const template of node.templates) {
    const taken = takenBy(template.segment, segment);
    const match = taken && found(template.node, segments, at + 1, new Map([...parameters, ...taken]));
    if (match !== undefined) return match;
  }
  const [rest] = node.rests;
  return rest && { entry: rest.entry, parameters: new Map([...parameters, [rest.name, segments.slice(at).join('/')]]) };
}

/** What the parameters of a segment stand for: each takes as little as it can, and the last all that is left. None takes nothing. */
function takenBy(template: TemplateSegment, segment: string): readonly (readonly [string, string])[] | undefined {
  const taken: (readonly [string, string])[] = [];
  let at = 0;
  for (const [index, part] of template.entries()) {
    if (part.kind === 'literal') {
      if (!segment.startsWith(part.text, at)) return undefined;
      at += part.text.length;
      continue;
    }
    const next = template[index + 1];
    const isBeforeLast = index + 2 === template.length;
    const text = next?.kind === 'literal' ? next.text : '';
    const end =
      next === undefined ? segment.length : isBeforeLast ? segment.length - text.length : segment.indexOf(text, at + 1);
    if (end <= at) return undefined;
    taken.push([part.name, segment.slice(at, end)]);
    at = end;
  }
  return at === segment.length ? taken : undefined;
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
