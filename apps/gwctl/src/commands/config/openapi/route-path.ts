import { isConcrete } from '@portcullis/openapi';
import type { TemplatePart, TemplateSegment } from '@portcullis/openapi';
import { normalisePath, readRoutePath } from '@portcullis/resources';

/** How a route matches a path template, or why it cannot. */
export type RoutePath =
  | { readonly ok: true; readonly path: string; readonly path_type: 'exact' | 'regex' }
  | { readonly ok: false; readonly message: string };

/**
 * The path of a route that takes exactly the requests of a path template. A literal path is exact; one with parameters is an
 * expression of literals and `[^/]+`, which the router decides without running it. Literals are written as requests are
 * normalised. Groups are called like their parameters.
 */
export function routePath(segments: readonly TemplateSegment[]): RoutePath {
  const normalised = segments.map((segment) => segment.map(normalisedPart));
  if (normalised.flat().includes(undefined)) return refused('has a character or an escape that no path may have');
  const whole = normalised.map((segment) => segment.filter((part) => part !== undefined));
  if (whole.some((segment) => segment.length === 1 && /^\.{1,2}(?:;|%3B|$)/.test(literalOf(segment)))) {
    return refused('has a dot segment, which requests never have');
  }
  // Slashes of a request are merged, so that an empty segment can only stand at the end.
  const kept = whole.filter((segment, index) => segment.length > 0 || index === whole.length - 1);
  const used = new Set<string>();
  const path = isConcrete(kept)
    ? `/${kept.map(literalOf).join('/')}`
    : `~/${kept.map((segment) => segment.map((part) => expressionOf(part, used)).join('')).join('/')}$`;
  const reading = readRoutePath(path, 'exact');
  if (!reading.ok) return refused(reading.message);
  return { ok: true, path, path_type: reading.type === 'regex' ? 'regex' : 'exact' };
}

function refused(message: string): RoutePath {
  return { ok: false, message };
}

function literalOf(segment: TemplateSegment): string {
  return segment.map((part) => (part.kind === 'literal' ? part.text : '')).join('');
}

function normalisedPart(part: TemplatePart): TemplatePart | undefined {
  if (part.kind !== 'literal') return part;
  const bytes = Array.from(new TextEncoder().encode(part.text), (byte) => String.fromCharCode(byte)).join('');
  // A letter before it, so that dots stay.
  const normalised = normalisePath(`/x${bytes}`);
  return typeof normalised === 'string' ? { kind: 'literal', text: normalised.slice(2) } : undefined;
}

function expressionOf(part: TemplatePart, used: Set<string>): string {
  if (part.kind === 'literal') return part.text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `(?<${groupName(part.name, used)}>${part.isGreedy ? '.+' : '[^/]+'})`;
}

/** A parameter's name as a group may have it. Source: RE2 syntax. */
function groupName(name: string, used: Set<string>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d|$)/, '_');
  let free = plain;
  for (let count = 2; used.has(free); count += 1) free = `${plain}_${count}`;
  used.add(free);
  return free;
}
