import { COPY_HOP, HOP_FIELD, HOP_NAME, HeaderList } from '@portcullis/plugin-runtime';

/** How often a request may come by: gateways may stand behind each other, but not so many. */
export const hopsMax = 8;

/** What `CDN-Loop` says of a request's way here. */
export interface Hops {
  /** Times that it was sent on to a destination by a gateway of this kind. */
  readonly count: number;
  /** Whether it is a copy, or what became of one. */
  readonly isCopy: boolean;
}

const noHops: Hops = Object.freeze({ count: 0, isCopy: false });

/** Reads the field's value, its lines joined. Source: RFC 8586. */
export function hopsOf(value: string): Hops {
  if (value === '') return noHops;
  const own = value
    .split(',')
    .map((part) => part.replaceAll(/[ \t]/g, '').toLowerCase())
    .filter((part) => part === HOP_NAME || part.startsWith(`${HOP_NAME};`));
  return { count: own.length, isCopy: own.includes(COPY_HOP) };
}

/**
 * Notes in a request's fields that it goes on to a destination. What plugins made of the field does not count: one that removes it would let
 * a request go round for ever.
 * @param pairs name and value by turns; changed in place
 * @param arrived the field as the request brought it; empty without one
 * @returns `false` when it has gone on too often
 */
export function noteHop(pairs: string[], arrived: string): boolean {
  if (hopsOf(arrived).count >= hopsMax) return false;
  const value = arrived === '' ? HOP_NAME : `${arrived}, ${HOP_NAME}`;
  new HeaderList(pairs).apply([{ op: 'set', name: HOP_FIELD, value }]);
  return true;
}
