import { isConcrete } from '@portcullis/openapi';
import type { TemplateSegment } from '@portcullis/openapi';
import { isGreedy, isLiteral, MeetingTemplates } from './meeting-templates.ts';

/** A path template that routes are made of. */
export interface Template {
  readonly path: string;
  readonly segments: readonly TemplateSegment[];
}

/**
 * `regex_priority` of the templates that need one. Literal paths are always looked for first, and of two expressions that take
 * the same request the one with the longer literal beginning wins. Where that does not say what OpenAPI's readers expect (the
 * first segment in which they differ decides: a literal before a mix of both before a parameter), all templates that compete
 * with each other are numbered. The order of the document means nothing.
 */
export function templatePriorities(templates: readonly Template[]): ReadonlyMap<string, number> {
  const parametric = templates.filter(({ segments }) => !isConcrete(segments)).toSorted(bySpecificity);
  const group = parametric.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (group[root] !== root) root = group[root] ?? root;
    group[index] = root;
    return root;
  };
  const undecided = new Set<number>();
  const moreSpecific = new MeetingTemplates();
  for (const [index, template] of parametric.entries()) {
    for (const other of moreSpecific.meeting(template.segments)) {
      group[find(index)] = find(other);
      const rival = parametric[other];
      const isOrdered = rival !== undefined && bySpecificity(rival, template) !== 0;
      if (isOrdered && literalLead(rival) <= literalLead(template)) undecided.add(index);
    }
    moreSpecific.add(index, template.segments);
  }
  const numbered = new Set([...undecided].map(find));
  return prioritiesIn(parametric, (index) => (numbered.has(find(index)) ? find(index) : undefined));
}

/** Numbers the templates of each group from the least specific, which has 0. Equally specific ones share a number. */
function prioritiesIn(
  ordered: readonly Template[],
  groupOf: (index: number) => number | undefined,
): ReadonlyMap<string, number> {
  const priorities = new Map<string, number>();
  const last = new Map<number, { readonly template: Template; readonly priority: number }>();
  for (const [index, template] of [...ordered.entries()].toReversed()) {
    const group = groupOf(index);
    if (group === undefined) continue;
    const before = last.get(group);
    const step = before === undefined || bySpecificity(before.template, template) === 0 ? 0 : 1;
    const priority = (before?.priority ?? 0) + step;
    last.set(group, { template, priority });
    if (priority > 0) priorities.set(template.path, priority);
  }
  return priorities;
}

const rank = { greedy: 0, parameter: 1, mixed: 2, literal: 3 } as const;

function rankOf(segment: TemplateSegment): number {
  if (isLiteral(segment)) return rank.literal;
  if (isGreedy(segment)) return rank.greedy;
  return segment.length === 1 ? rank.parameter : rank.mixed;
}

/** The more specific first. */
function bySpecificity(one: Template, other: Template): number {
  for (const [index, segment] of one.segments.entries()) {
    const against = other.segments[index];
    const difference = (against === undefined ? -1 : rankOf(against)) - rankOf(segment);
    if (difference !== 0) return difference;
  }
  return other.segments.length - one.segments.length;
}

/** How many characters of a template come before its first parameter. */
function literalLead({ path }: Template): number {
  return path.indexOf('{');
}
