import { harmlessText } from '@portcullis/bundle-diff';
import { CommandFailure } from '../failure.ts';

/** A document of several that are one bundle together. */
export interface BundlePart {
  readonly file: string;
  readonly document: unknown;
  /** Where a value stands, for instance `b.yaml:3:5`. */
  readonly placeOf: (pointer: string) => string;
}

/** One bundle made of several documents. */
export interface MergedBundle {
  readonly document: Readonly<Record<string, unknown>>;
  /** The part that a value of the whole comes from, and its pointer there; nothing for what no part has. */
  readonly sourceOf: (pointer: string) => { readonly part: BundlePart; readonly pointer: string } | undefined;
}

/** Where the records of one part begin in a merged list. */
interface Segment {
  readonly part: BundlePart;
  readonly start: number;
}

/**
 * Puts documents together: lists are joined in the order of the parts, null is as good as absent, and anything else must be
 * the same wherever it is given. `tenant_id` may be in some parts only. @throws CommandFailure, with both places, for parts that contradict each other
 */
export function mergeBundles(parts: readonly BundlePart[]): MergedBundle {
  const document: Record<string, unknown> = {};
  const segments = new Map<string, Segment[]>();
  for (const part of parts) {
    for (const [key, value] of Object.entries(objectOf(part))) {
      const known = segments.get(key);
      const before = document[key];
      if (!known || before === null) {
        segments.set(key, [{ part, start: 0 }]);
        document[key] = Array.isArray(value) ? [...(value as unknown[])] : value;
      } else if (Array.isArray(before) && Array.isArray(value)) {
        known.push({ part, start: before.length });
        for (const record of value as unknown[]) before.push(record);
      } else if (value !== null && before !== value) throw contradiction(key, known[0]?.part ?? part, part);
    }
  }
  return { document, sourceOf: (pointer) => sourceOf(pointer, segments, document) };
}

function sourceOf(
  pointer: string,
  segments: ReadonlyMap<string, readonly Segment[]>,
  document: Readonly<Record<string, unknown>>,
): { part: BundlePart; pointer: string } | undefined {
  const [, step = '', index, ...rest] = pointer.split('/');
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
  const known = segments.get(key);
  const [first] = known ?? [];
  if (!known || !first) return undefined;
  if (index === undefined || !Array.isArray(document[key])) return { part: first.part, pointer };
  const segment = known.findLast(({ start }) => start <= Number(index)) ?? first;
  return { part: segment.part, pointer: ['', step, Number(index) - segment.start, ...rest].join('/') };
}

function objectOf({ file, document }: BundlePart): object {
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document;
  throw new CommandFailure(`${file} does not hold a bundle: expected tenant_id and lists of records`);
}

function contradiction(key: string, first: BundlePart, second: BundlePart): CommandFailure {
  const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const [before, now] = [textAt(first, key), textAt(second, key)];
  return new CommandFailure(
    harmlessText(`${second.placeOf(pointer)}: ${key} is ${now}, but ${first.placeOf(pointer)} has ${before}`),
  );
}

/** What a part says under a key, unless it may be long or secret: then only what kind of value it is. */
function textAt({ document }: BundlePart, key: string): string {
  const value = (document as Readonly<Record<string, unknown>>)[key];
  if (key === 'tenant_id' && typeof value === 'string') return value;
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `another ${typeof value}`;
}
