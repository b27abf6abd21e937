import type { TemplateSegment } from '@portcullis/openapi';

interface Node {
  readonly literals: Map<string, Node>;
  /** Segments with parameters, by how they are written without the parameters' names. */
  readonly others: Map<string, Node>;
  readonly entries: number[];
}

/**
 * Finds templates that a request may fit as well, without comparing each with all others: those with another literal at the
 * same place are never looked at. Says so rather too often: two segments with parameters always may meet.
 */
export class MeetingTemplates {
  readonly #root: Node = newNode();
  /** Few, as a rule: these are asked one by one. `lead` is what comes before the part that may hold slashes. */
  readonly #greedy: { readonly entry: number; readonly lead: readonly TemplateSegment[] }[] = [];

  add(entry: number, segments: readonly TemplateSegment[]): void {
    const lead = leadOf(segments);
    if (lead.length < segments.length) {
      this.#greedy.push({ entry, lead });
      return;
    }
    let node = this.#root;
    for (const segment of segments) {
      const children = isLiteral(segment) ? node.literals : node.others;
      const key = shapeOf(segment);
      let next = children.get(key);
      if (!next) children.set(key, (next = newNode()));
      node = next;
    }
    node.entries.push(entry);
  }

  /** Entries whose templates may take a request that a template takes. */
  meeting(segments: readonly TemplateSegment[]): readonly number[] {
    const found = this.#greedy.filter(({ lead }) => mayFollow(lead, segments)).map(({ entry }) => entry);
    const lead = leadOf(segments);
    const isOpen = lead.length < segments.length;
    const look = (node: Node, index: number): void => {
      const segment = lead[index];
      if (segment === undefined) {
        found.push(...node.entries);
        if (isOpen) for (const child of childrenOf(node)) look(child, index + 1);
        return;
      }
      const same = isLiteral(segment) ? node.literals.get(shapeOf(segment)) : undefined;
      const next = isLiteral(segment) ? [...(same ? [same] : []), ...node.others.values()] : childrenOf(node);
      for (const child of next) look(child, index + 1);
    };
    look(this.#root, 0);
    return found;
  }
}

/** Whether what comes before a greedy part may be the beginning of a template. */
function mayFollow(lead: readonly TemplateSegment[], segments: readonly TemplateSegment[]): boolean {
  for (const [index, segment] of lead.entries()) {
    const other = segments[index];
    if (other === undefined) return false;
    if (isGreedy(other)) return true;
    if (isLiteral(segment) && isLiteral(other) && shapeOf(segment) !== shapeOf(other)) return false;
  }
  return true;
}

/** The segments before the first one that may hold slashes; all of them where none does. */
function leadOf(segments: readonly TemplateSegment[]): readonly TemplateSegment[] {
  const greedy = segments.findIndex(isGreedy);
  return greedy === -1 ? segments : segments.slice(0, greedy);
}

function childrenOf(node: Node): readonly Node[] {
  return [...node.literals.values(), ...node.others.values()];
}

/** Whether a parameter of the segment may hold slashes. */
export function isGreedy(segment: TemplateSegment): boolean {
  return segment.some((part) => part.kind === 'parameter' && part.isGreedy);
}

/** Whether a segment has no parameter. */
export function isLiteral(segment: TemplateSegment): boolean {
  return segment.every(({ kind }) => kind === 'literal');
}

function shapeOf(segment: TemplateSegment): string {
  return segment.map((part) => (part.kind === 'literal' ? part.text : '{}')).join('');
}

function newNode(): Node {
  return { literals: new Map(), others: new Map(), entries: [] };
}
