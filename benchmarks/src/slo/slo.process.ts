/**
 * The ingest of observations and the evaluation of objectives on one database. Arguments: `sqlite:PATH` or a PostgreSQL URL, seconds and
 * rate of the load, turns, objectives. Prints JSON.
 */
import { controlPlaneParts, quietLog } from './control-plane-parts.ts';
import { measureEvaluations } from './measure-evaluations.ts';
import { measureIngest } from './measure-ingest.ts';
import { measureLoad } from './measure-load.ts';

const [url = '', seconds = '60', rate = '10000', turns = '7', objectives = '1000'] = process.argv.slice(2);

const repetitions = 200;

const parts = await controlPlaneParts();
const database = await parts.openDatabase({ url, log: quietLog });
const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const beganMs = performance.now();
  const result = await work();
  console.error(`  ${name}: ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  return result;
};
const load = await step('load', () =>
  measureLoad(parts, database, { url, seconds: Number(seconds), rate: Number(rate) }),
);
const ingest = await step('ingest', () =>
  measureIngest(parts, database, { url, turns: Number(turns), rate: Number(rate) }),
);
const evaluations = await step('evaluations', () =>
  measureEvaluations(parts, database, { url, objectives: Number(objectives), repetitions }),
);
console.log(JSON.stringify({ load, ingest, evaluations }));
await database.close();
process.exit(0);
