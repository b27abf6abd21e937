import { lookup } from 'node:dns/promises';

/**
 * Look-ups of the system's own at a time, in the whole process. Each holds one of its four threads for as long as name servers let it wait, and files and
 * other names need those as well.
 */
export const systemLookupsMax = 2;

/** Those that wait, first come first. */
const waiting: (() => void)[] = [];
let underWay = 0;

/** What the system itself says of a name: it knows search domains and further sources. Takes its turn. */
export async function systemLookup(name: string): Promise<readonly string[]> {
  if (underWay >= systemLookupsMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else underWay += 1;
  try {
    return (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);
  } finally {
    // Who waits takes the place over.
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
}
