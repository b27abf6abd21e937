/**
 * The load generator: a process of its own, so that its work is nobody else's. `node load.js ORDER` with a `LoadOrder` in
 * JSON; prints a `LoadReport` in JSON.
 */
import { closedLoop } from './closed-loop.ts';
import type { LoadOrder } from './load-report.ts';

const report = await closedLoop(JSON.parse(process.argv[2] ?? '') as LoadOrder);
process.stdout.write(`${JSON.stringify(report)}\n`);
