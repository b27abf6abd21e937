import { descriptionLimits } from '../limits.ts';

/** A piece of a segment: text as it is written, or a parameter that stands for some. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'parameter';
      readonly name: string;
      /** Whether slashes may be in it: `{name+}` as some gateways write it. */
      readonly isGreedy: boolean;
    };

/** One segment of a path: what stands between two slashes. An empty one has no parts. */
export type TemplateSegment = readonly TemplatePart[];

/** A path template that was taken apart, or the rule that it breaks. */
export type PathTemplate =
  | { readonly ok: true; readonly segments: readonly TemplateSegment[] }
  | { readonly ok: false; readonly message: string };

/**
 * Takes a path template apart: `/users/{id}.{format}` has two segments, the second with three parts. Source: OpenAPI 3.1,
 * Path Templating.
 */
export function parsePathTemplate(template: string): PathTemplate {
  if (!template.startsWith('/')) return refused('must begin with /');
  if (template.length > descriptionLimits.addressLengthMax) {
    return refused(`must have at most ${descriptionLimits.addressLengthMax} characters`);
  }
  if (/[?#\s]/.test(template.replaceAll(/\{[^{}/]*\}/g, '')))
    return refused('must be a path without ?, # and white space');
  const segments = template.slice(1).split('/').map(partsOf);
  if (segments.includes(undefined)) return refused('has braces that do not fit together, or stand beside each other');
  const whole = segments.filter((segment) => segment !== undefined);
  const names = whole.flat().flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
  if (names.includes('')) return refused('has a parameter without a name');
  if (new Set(names).size < names.length) return refused('has two parameters of one name');
  return { ok: true, segments: whole };
}

/** Whether every part of a template is literal: such paths are looked for before templates. */
export function isConcrete(segments: readonly TemplateSegment[]): boolean {
  return segments.every((segment) => segment.every(({ kind }) => kind === 'literal'));
}

function refused(message: string): PathTemplate {
  return { ok: false, message };
}

/** Nothing for a segment that cannot be taken apart; two parameters side by side could share their text in any way. */
function partsOf(segment: string): TemplateSegment | undefined {
  const pieces = segment.split(/(\{[^{}]*\})/).filter((piece) => piece !== '');
  const parts = pieces.map(partOf);
  const isTornApart = parts.some(
    (part, index) =>
      (part.kind === 'literal' && /[{}]/.test(part.text)) ||
      (part.kind === 'parameter' && parts[index + 1]?.kind === 'parameter'),
  );
  return isTornApart ? undefined : parts;
}

function partOf(piece: string): TemplatePart {
  if (!piece.startsWith('{') || !piece.endsWith('}')) return { kind: 'literal', text: piece };
  const name = piece.slice(1, -1);
  return name.endsWith('+')
    ? { kind: 'parameter', name: name.slice(0, -1), isGreedy: true }
    : { kind: 'parameter', name, isGreedy: false };
}
