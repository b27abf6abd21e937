import type { NamedAlternatives, PathRule, RouteRule } from '@portcullis/router';
import type { RouteSample } from './route-samples.ts';

/**
 * What is left of a route when only those of its hosts and paths count that take every request which a sample of another route
 * stands for. Nothing where it takes only some of them, or where that is not sure.
 */
export function coveringPart(winner: RouteRule, rule: RouteRule, sample: RouteSample): RouteRule | undefined {
  const hosts = winner.hosts.filter((host) => coversHost(host, sample.host));
  const paths = winner.paths.filter((path) => coversPath(path, sample.path));
  const covers =
    (winner.hosts.length === 0 || hosts.length > 0) &&
    (winner.paths.length === 0 || paths.length > 0) &&
    (winner.methods.length === 0 || sample.method !== undefined) &&
    coversAll(winner.headers, rule.headers) &&
    coversAll(winner.query, rule.query) &&
    coversNames(winner.snis ?? [], rule.snis ?? []);
  return covers ? { ...winner, hosts, paths } : undefined;
}

/** Of a host without a wildcard there is one, which the router has looked at. */
function coversHost(candidate: string, host: string | undefined): boolean {
  if (host === undefined) return false;
  if (!host.includes('*')) return true;
  if (!candidate.includes('*') || candidate.startsWith('*') !== host.startsWith('*')) return false;
  const [fixed, wider] = [host.replace('*', ''), candidate.replace('*', '')];
  return candidate.startsWith('*') ? fixed.endsWith(wider) : fixed.startsWith(wider);
}

/** Of an exact path there is one, which the router has looked at. */
function coversPath({ type, value }: PathRule, path: PathRule | undefined): boolean {
  if (path === undefined) return false;
  if (path.type === 'exact') return true;
  if (type !== 'prefix') return type === path.type && value === path.value;
  const lead = path.type === 'prefix' ? path.value : literalLead(path.value);
  return value === '/' || lead === value || lead.startsWith(value.endsWith('/') ? value : `${value}/`);
}

/** What every match of an expression begins with, up to its last slash. */
function literalLead(expression: string): string {
  if (expression.includes('|')) return '';
  const [plain = ''] = /^\^?((?:[^\\.[\](){}*+?|^$]|\\[^A-Za-z0-9])*)/.exec(expression)?.slice(1) ?? [];
  return plain.replaceAll(/\\(.)/g, '$1').replace(/[^/]*$/, '');
}

/** Whatever the winner asks for, the other asks for, with no further alternatives. */
function coversAll(winner: readonly NamedAlternatives[], other: readonly NamedAlternatives[]): boolean {
  return winner.every(({ name, values }) => {
    const asked = other.find((condition) => condition.name === name);
    return asked !== undefined && asked.values.every((value) => values.includes(value));
  });
}

function coversNames(winner: readonly string[], other: readonly string[]): boolean {
  return winner.length === 0 || (other.length > 0 && other.every((name) => winner.includes(name)));
}
