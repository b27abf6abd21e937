import type { Segment, Selector } from './json-path.ts';

/**
 * The steps of a bare path: names between dots (`user.first-name`), each with selections in brackets (`items[0].id`, `items[*]`), `*` for all.
 * A number between dots is an element's index or a member's name, whichever there is. Names with dots or brackets need `$['a.b']`; `@` stands
 * for the value in a filter only.
 * @returns `undefined` for what is no such path
 */
export function bareSegments(text: string): readonly Segment[] | undefined {
  if (!/^(?!@[.[])[^.[\]]+(?:\[(?:\d{1,9}|\*)\])*(?:\.[^.[\]]+(?:\[(?:\d{1,9}|\*)\])*)*$/.test(text)) return undefined;
  // Names between dots, or what brackets hold.
  return [...text.matchAll(/\[([^\]]+)\]|[^.[\]]+/g)].map(([part, bracketed]) => ({
    isDescendant: false,
    selectors: bracketed === undefined ? dotted(part) : [bracketed === '*' ? ANY : indexOf(bracketed)],
  }));
}

function dotted(part: string): readonly Selector[] {
  if (part === '*') return [ANY];
  const name = { kind: 'name', name: part } as const;
  return /^\d{1,9}$/.test(part) ? [name, indexOf(part)] : [name];
}

function indexOf(digits: string): Selector {
  return { kind: 'index', index: Number(digits) };
}

const ANY: Selector = { kind: 'any' };
