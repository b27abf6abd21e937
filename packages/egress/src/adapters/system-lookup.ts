import { lookup } from 'node:dns/promises';
import { takingTurns } from '../names/taking-turns.ts';

/**
 * Look-ups of the system's own at a time, in the whole process. Each holds one of its four threads for as long as name servers let it wait, and files and
 * other names need those as well.
 */
export const systemLookupsMax = 2;

/** What the system itself says of a name: it knows search domains and further sources. */
export const systemLookup: (name: string) => Promise<readonly string[]> = takingTurns(
  async (name) => (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address),
  systemLookupsMax,
);
