import type { BodySink, BodySource } from '../transport/body-source.ts';
import { fieldKinds, isHopByHop } from './field-kinds.ts';

/**
 * What must be known before a body comes means nothing behind it, and misleads whoever joins trailers to the head: framing, routing, who
 * somebody is, what may be kept. Source: RFC 9110, section 6.5.1.
 */
const forbidden: ReadonlySet<string> = new Set([
  ...['content-length', 'content-encoding', 'content-type', 'content-range', 'host', 'te', 'expect', 'range'],
  ...[
    'cache-control',
    'pragma',
    'age',
    'expires',
    'date',
    'vary',
    'warning',
    'location',
    'retry-after',
    'max-forwards',
  ],
  ...['authorization', 'www-authenticate', 'proxy-authenticate', 'proxy-authorization', 'authentication-info'],
  ...['cookie', 'set-cookie', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
]);

/** Whether a field may come behind a body. */
export function isTrailerName(lowerName: string): boolean {
  return token.test(lowerName) && !forbidden.has(lowerName) && !isHopByHop(lowerName) && !fieldKinds.has(lowerName);
}

/**
 * Leaves out what must not come behind a body, and what cannot be sent.
 * @param pairs name and value by turns
 * @returns the same list where all of it may
 */
export function passableTrailers(pairs: readonly string[]): readonly string[] {
  return passable(pairs, isTrailerName);
}

/** A request's body, and of what may come behind it only some names. */
export class ForwardedBody implements BodySource {
  readonly #source: BodySource;
  readonly #mayName: (lowerName: string) => boolean;

  constructor(source: BodySource, mayName: (lowerName: string) => boolean) {
    this.#source = source;
    this.#mayName = mayName;
  }

  get length(): number | undefined {
    return this.#source.length;
  }

  get trailers(): readonly string[] {
    return passable(this.#source.trailers, this.#mayName);
  }

  read(sink: BodySink): void {
    this.#source.read(sink);
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }
}

/**
 * Tells which fields may come behind a request's body. Names with `_` are left out of heads too. What the head says, and what plugins set or
 * removed, is settled: whoever joins trailers to the head would be told something else.
 * @param pairs of the head as it is forwarded
 * @param edits which names plugins decided on; asked when a name comes, as most requests have none behind their bodies
 */
export function requestTrailerRule(
  pairs: readonly string[],
  edits: { readonly editedNames: ReadonlySet<string> } | undefined,
): (lowerName: string) => boolean {
  let settled: ReadonlySet<string> | undefined;
  return (lowerName) => {
    if (!isTrailerName(lowerName) || lowerName.includes('_')) return false;
    settled ??= new Set([...namesOf(pairs), ...(edits?.editedNames ?? [])]);
    return !settled.has(lowerName);
  };
}

function namesOf(pairs: readonly string[]): string[] {
  return pairs.filter((_part, at) => at % 2 === 0).map((name) => name.toLowerCase());
}

/**
 * Which of the fields that a client announced may go behind its body.
 * @param announced names with commas between them
 * @returns `undefined` where none may
 */
export function announcedNames(
  announced: string,
  mayName: (lowerName: string) => boolean,
): readonly string[] | undefined {
  if (announced === '') return undefined;
  const names = announced.split(',').map((name) => name.trim().toLowerCase());
  const passing = [...new Set(names)].filter(mayName);
  return passing.length === 0 ? undefined : passing;
}

const token = /^[!#$%&'*+.^`|~\w-]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

function passable(pairs: readonly string[], mayName: (lowerName: string) => boolean): readonly string[] {
  const isPassable = (at: number): boolean =>
    mayName((pairs[at] ?? '').toLowerCase()) && value.test(pairs[at + 1] ?? '');
  let isWhole = true;
  for (let at = 0; at < pairs.length; at += 2) isWhole &&= isPassable(at);
  return isWhole ? pairs : pairs.filter((_part, at) => isPassable(at - (at % 2)));
}
