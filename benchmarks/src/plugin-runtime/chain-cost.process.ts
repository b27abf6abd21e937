/** Measures one chain in a process of its own: no contender runs on code that was compiled for another. */
import type { ChainCase } from './chain-case.ts';
import { chainRun } from './contender-runs.ts';
import { measureCost } from './measure-cost.ts';

const one = JSON.parse(process.argv[2] ?? '') as ChainCase;
const collect = globalThis.gc;
if (collect === undefined) throw new Error('run it with --expose-gc');
console.log(JSON.stringify(await measureCost(await chainRun(one), () => collect())));
