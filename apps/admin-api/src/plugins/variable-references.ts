import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { EnvAllow } from '@portcullis/vaults';
import type { FieldProblem } from '../http/problem.ts';
import { toPointer } from '../resources/json-pointer.ts';
import { isValues } from '../resources/values.ts';

const NAME = 'portcullis.envAllow';

/**
 * Says for this process, and for all threads that it begins from now on, which variables of gateways each tenant's configuration may name.
 * Source: decisions, 19.
 * @param allow `undefined` where only the gateways know
 */
export function allowVariables(allow: EnvAllow | undefined): void {
  setEnvironmentData(NAME, allow);
}

/**
 * Variables that are nothing for a tenant on any machine: the product's own, those of databases, and what processes run by. They are refused also
 * where the operator's list is not known here; gateways, which know theirs, read nothing else than what it has.
 */
const NEVER =
  /^(?:PORTCULLIS_.*|(?:.*_)?DATABASE_URL|PG[A-Z]+|NODE_.*|LD_.*|KUBERNETES_.*|PATH|HOME|HOSTNAME|USER|PWD|SHELL)$/i;

/**
 * What is wrong with the variables that a config of a built-in kind names: in fields whose names end in `_env`, and as `env://NAME`. Source: security
 * rules, Holes.
 * @param place where the config stands in the record
 * @param tenantId whose record it is; where that is not known, what some tenant may name passes
 */
export function variableProblems(config: unknown, place: string, tenantId?: string): readonly FieldProblem[] {
  const allow = getEnvironmentData(NAME) as EnvAllow | undefined;
  const problems: FieldProblem[] = [];
  visit(config, [], (name, segments) => {
    if (isAllowed(allow, name, tenantId)) return;
    const message = 'names a variable that the operator does not let this tenant read (PORTCULLIS_ENV_ALLOW)';
    problems.push({ pointer: `${place}${toPointer(segments)}`, code: 'not_allowed', message });
  });
  return problems;
}

function isAllowed(allow: EnvAllow | undefined, name: string, tenantId: string | undefined): boolean {
  if (allow === undefined) return !NEVER.test(name);
  if (tenantId !== undefined) return allow.get(tenantId)?.has(name) === true;
  return [...allow.values()].some((names) => names.has(name));
}

type Visitor = (name: string, segments: readonly string[]) => void;

function visit(value: unknown, segments: readonly string[], visitor: Visitor): void {
  if (typeof value === 'string') {
    const isVariable = segments.at(-1)?.endsWith('_env') === true;
    const reference = /^env:\/\/(.*)$/s.exec(value)?.[1];
    if (isVariable) visitor(value, segments);
    else if (reference !== undefined) visitor(reference, segments);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, [...segments, String(index)], visitor);
  } else if (isValues(value)) {
    for (const [name, item] of Object.entries(value)) visit(item, [...segments, name], visitor);
  }
}
