import { parseTargetName } from '@portcullis/resources';
import type { FieldProblem } from '../http/problem.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { Values } from '../resources/values.ts';

/**
 * Targets take host and port from a name that reads `host:port`, and their name from host and port. A name that was made
 * of them follows them. Source: decisions, 6.
 */
export const targetAddressBehaviour: Pick<FamilyBehaviour, 'derive' | 'check'> = {
  derive(values, before) {
    const { host, port } = addressOf(values, before);
    const address = { host: bare(host), port };
    const isMade = values['name'] === undefined || (before !== undefined && isStaleName(values, before));
    return { ...values, ...address, name: isMade ? nameOf(address) : values['name'] };
  },
  check(values) {
    const named = parsedName(values);
    if (!named) return [];
    const host = sameHost(named.host) === sameHost(values['host']);
    const port = named.port === values['port'];
    return [...(host ? [] : [contradiction('/host')]), ...(port ? [] : [contradiction('/port')])];
  },
};

function addressOf(values: Values, before: Values | undefined): { readonly host: unknown; readonly port: unknown } {
  const named = parsedName(values);
  const { host, port } = values;
  // What is given stays: `check` compares it with the name.
  if (named && !wasRenamedOnly(values, before)) return { host: host ?? named.host, port: port ?? named.port };
  return named ?? { host, port };
}

/** A change of nothing but the name moves the target. */
function wasRenamedOnly(values: Values, before: Values | undefined): boolean {
  return before !== undefined && values['name'] !== before['name'] && isSameAddress(values, before);
}

/** A change of the address under a name that was that of the address before. */
function isStaleName(values: Values, before: Values): boolean {
  return values['name'] === before['name'] && before['name'] === nameOf(before) && !isSameAddress(values, before);
}

function isSameAddress(left: Values, right: Values): boolean {
  return left['host'] === right['host'] && left['port'] === right['port'];
}

function parsedName({ name }: Values): { host: string; port: number } | undefined {
  return typeof name === 'string' ? parseTargetName(name) : undefined;
}

function nameOf({ host, port }: Values): string {
  const text = String(host);
  return `${text.includes(':') ? `[${text}]` : text}:${String(port)}`;
}

/** Brackets belong to `host:port` and not to the host. */
function bare(host: unknown): unknown {
  return typeof host === 'string' ? host.replace(/^\[(.*)\]$/, '$1') : host;
}

function sameHost(host: unknown): unknown {
  return typeof host === 'string' ? host.toLowerCase() : host;
}

function contradiction(pointer: string): FieldProblem {
  return { pointer, code: 'contradiction', message: 'contradicts name, which reads host:port' };
}
