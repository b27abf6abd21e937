import { expressionCostOf } from '@portcullis/resources';
import type { ExplainedRoute, MatchingTable } from './matching-table.ts';

/** Roughly, by measure, in bytes: a route's record with its entry, each further way in which it matches, and a plugin. */
const routeBytes = 900;
const wayBytes = 300;
const pluginBytes = 500;
/** Of an instruction of a compiled expression. */
const instructionBytes = 250;
const characterBytes = 2;

/** What a table takes in memory, roughly, in bytes. A tenant decides on its size, so it is counted and not assumed. */
export function tableWeight({ routes, instances }: MatchingTable): number {
  let bytes = routeBytes + instances.length * pluginBytes;
  for (const route of routes.routes()) bytes += routeWeight(route);
  return bytes;
}

function routeWeight({ hosts, paths, methods, headers, query, snis = [], plugins, name }: ExplainedRoute): number {
  const perHost = Math.max(1, hosts.length);
  const ways = perHost * Math.max(1, paths.length);
  const values = [...headers, ...query].flatMap((one) => [one.name, ...one.values]);
  const characters = [name, ...hosts, ...paths.map(({ value }) => value), ...methods, ...snis, ...values].reduce(
    (sum, text) => sum + text.length,
    0,
  );
  const instructions = paths.reduce((sum, { type, value }) => sum + expressionCostOf(value, type), 0) * perHost;
  return (
    routeBytes +
    ways * wayBytes +
    characters * characterBytes +
    instructions * instructionBytes +
    plugins.length * pluginBytes
  );
}
