import { jsonpath } from 'json-p3';
import { bareSegments } from './bare-path.ts';
import { filterEnvironment, filterMistake, type FilterEnvironment } from './path-filter.ts';

/** What a step of a path picks of what a value holds. */
export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly stop: number | undefined;
      readonly step: number;
    }
  | {
      readonly kind: 'filter';
      /** Whether it reads the whole text's value, too. */
      readonly needsRoot: boolean;
      readonly holds: (value: unknown, root: unknown) => boolean;
    };

/** One step of a path. */
export interface Segment {
  /** Whether the selectors apply at every depth below, too. */
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

/** A compiled path. Without a segment it is the whole text. */
export interface JsonPath {
  readonly segments: readonly Segment[];
}

/** Longest path of a config, in characters, and most steps of it. */
export const JSON_PATH_LENGTH_MAX = 512;
export const JSON_PATH_STEPS_MAX = 32;

/**
 * Compiles a path of RFC 9535 (`$.a.b[*]`), or a bare one (`a.b`).
 * @returns what is wrong in words for a text that is no such path, or one that could take long
 */
export function compileJsonPath(text: string): JsonPath | string {
  if (text.length > JSON_PATH_LENGTH_MAX) return `must have at most ${JSON_PATH_LENGTH_MAX} characters`;
  const segments = text.startsWith('$') ? parsedSegments(text) : (bareSegments(text) ?? NO_PATH);
  if (typeof segments === 'string') return segments;
  return segments.length > JSON_PATH_STEPS_MAX ? `must have at most ${JSON_PATH_STEPS_MAX} steps` : { segments };
}

/** Whether a path names one place: by names and indexes only. Source: RFC 9535, 2.3.5.1. */
export function isSingular({ segments }: JsonPath): boolean {
  return segments.every(({ isDescendant, selectors }) => {
    const [{ kind } = { kind: 'any' }] = selectors;
    return !isDescendant && selectors.length === 1 && (kind === 'name' || kind === 'index');
  });
}

const NO_PATH = 'must be a JSON path (RFC 9535) such as $.a.b, or a bare one such as a.b';

function parsedSegments(text: string): readonly Segment[] | string {
  const environment = filterEnvironment();
  let segments: readonly jsonpath.JSONPathSegment[];
  try {
    ({ segments } = environment.paths.compile(text));
  } catch {
    // What the library says quotes the path.
    return NO_PATH;
  }
  const parsed: Segment[] = [];
  for (const segment of segments) {
    const selectors: Selector[] = [];
    for (const one of segment.selectors) {
      const selector = selectorOf(one, environment);
      if (typeof selector === 'string') return selector;
      selectors.push(selector);
    }
    parsed.push({ isDescendant: segment.toString().startsWith('..'), selectors });
  }
  return parsed;
}

const { FilterSelector, IndexSelector, NameSelector, SliceSelector, WildcardSelector } = jsonpath.selectors;

function selectorOf(selector: jsonpath.JSONPathSelector, environment: FilterEnvironment): Selector | string {
  if (selector instanceof NameSelector) return { kind: 'name', name: selector.name };
  if (selector instanceof IndexSelector) return { kind: 'index', index: selector.index };
  if (selector instanceof WildcardSelector) return { kind: 'any' };
  if (selector instanceof SliceSelector) {
    const { start, stop, step = 1 } = selector;
    return { kind: 'slice', start, stop, step };
  }
  if (!(selector instanceof FilterSelector)) return NO_PATH;
  const { expression } = selector;
  const { paths } = environment;
  return (
    filterMistake(expression, environment) ?? {
      kind: 'filter',
      // A dollar in a text only costs.
      needsRoot: expression.toString().includes('$'),
      holds: (currentValue, rootValue) =>
        expression.evaluate({ environment: paths, currentValue, rootValue } as jsonpath.FilterContext),
    }
  );
}
