/** Measures one plugin in a process of its own: none runs on code that was compiled for another. */
import { measureCost } from '../plugin-runtime/measure-cost.ts';
import { pluginCases } from './plugin-cases.ts';
import { caseRun, checkCase } from './case-run.ts';
import { firstTimeUs } from './first-time.ts';

const name = process.argv[2] ?? '';
const collect = globalThis.gc;
if (collect === undefined) throw new Error('run it with --expose-gc');
const make = pluginCases.get(name);
if (make === undefined) throw new Error(`there is no case of ${name}`);
const one = await make();
const run = caseRun(one);
await checkCase(one, run);
const first = one.unseen === undefined ? undefined : await firstTimeUs(run, one.unseen);
// A library that the plugin loads when it is set up is loaded once, and by no request.
await new Promise(setImmediate);
const cost = await measureCost(
  () => run(),
  () => collect(),
);
console.log(JSON.stringify({ ...cost, isWhole: one.isWhole ?? false, ...(first !== undefined && { firstUs: first }) }));
await one.close?.();
