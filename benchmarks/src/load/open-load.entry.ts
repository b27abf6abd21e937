/** The open load: a process of its own. `node open-load.js ORDER` with an `OpenLoadOrder` in JSON; prints reports of its phases. */
import { openLoad, type OpenLoadOrder } from './open-load.ts';

const reports = await openLoad(JSON.parse(process.argv[2] ?? '') as OpenLoadOrder);
process.stdout.write(`${JSON.stringify(reports)}\n`, () => process.exit(0));
