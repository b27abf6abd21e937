import { configurationFamilies, type ConfigurationFamily } from '@portcullis/resources';
import * as v from 'valibot';
import type { RecordSet } from '../configuration/record-set.ts';
import { healthCheckRecord } from '../health/health-check-record.ts';
import { jsonAnswer, type StatusPage } from './status-pages.ts';

/** Records that one answer shows. */
const shownMax = 1000;
const shownDefault = 100;

/** What may be told of any record. Everything that is not named here or below stays untold, secret or not. */
const common = ['id', 'name', 'enabled', 'created_at', 'updated_at'];

/**
 * What may be told beside that, by family. Plugins' configs, credentials and keys are in none: a field is shown because it is
 * named here, never because it looks harmless.
 */
const told: Partial<Readonly<Record<ConfigurationFamily, readonly string[]>>> = {
  gateway: ['hosts', 'allow_encoded_slashes', 'workspace_id'],
  services: [
    ...['protocol', 'host', 'port', 'path', 'upstream_id', 'retries'],
    ...['connect_timeout', 'read_timeout', 'write_timeout'],
  ],
  routes: [
    ...[
      'service_id',
      'hosts',
      'path',
      'paths',
      'path_type',
      'methods',
      'protocols',
      'snis',
      'priority',
      'regex_priority',
    ],
    ...['strip_path', 'preserve_host', 'request_buffering', 'response_buffering', 'timeout_ms'],
    ...['https_redirect_status_code'],
  ],
  upstreams: [
    ...['algorithm', 'slots', 'host_header', 'hash_on', 'hash_on_header', 'hash_on_cookie', 'hash_on_cookie_path'],
    ...['hash_on_query_arg', 'hash_on_uri_capture', 'hash_fallback', 'hash_fallback_header'],
    ...['hash_fallback_query_arg', 'hash_fallback_uri_capture'],
  ],
  targets: ['upstream_id', 'host', 'port', 'target', 'weight', 'priority'],
  plugins: ['scope', 'trigger', 'priority'],
  snis: ['certificate_id', 'client_certificate_mode', 'client_ca_certificate_ids'],
};

/** What is served, as `/ready` says it. */
type Served = () => { readonly revision: number; readonly hash: string } | undefined;

/**
 * `/config`: revision, hash, how many records each family has, and the records without anything that could be secret.
 * `family` narrows them, `limit` (at most 1,000) and `skip` page through them.
 */
export function configPage(served: Served, records: () => RecordSet | undefined): StatusPage {
  return (query) => {
    const current = served();
    const set = records();
    if (current === undefined || set === undefined) return jsonAnswer(503, { status: 'not_ready' });
    const limit = wholeNumber(query.get('limit'), shownDefault, shownMax);
    const skip = wholeNumber(query.get('skip'), 0, Number.MAX_SAFE_INTEGER);
    if (limit === undefined || skip === undefined) return jsonAnswer(400, { status: 'bad_query', limit_max: shownMax });
    const counts = Object.fromEntries(configurationFamilies.map((family) => [family, set.countOf(family)]));
    const { revision, hash } = current;
    return jsonAnswer(200, { revision, hash, counts, records: shown(set, query.get('family'), skip, limit) });
  };
}

function shown(set: RecordSet, family: string | null, skip: number, limit: number): readonly object[] {
  const found: object[] = [];
  let passed = 0;
  for (const [key, line] of set.entries()) {
    const own = key.slice(0, key.indexOf('/'));
    if (family !== null && own !== family) continue;
    passed += 1;
    if (passed <= skip) continue;
    if (found.length === limit) break;
    const { record } = JSON.parse(line) as { record: Readonly<Record<string, unknown>> };
    const names = [...common, ...(told[own as ConfigurationFamily] ?? [])];
    const fields = names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]] as const);
    found.push({ family: own, ...Object.fromEntries(fields), ...toldInPart[own]?.(record) });
  }
  return found;
}

/** What is told of fields that hold more than may be told. */
const toldInPart: Readonly<Record<string, (record: Readonly<Record<string, unknown>>) => object>> = {
  routes: conditions,
  upstreams: checks,
};

/** Health checks as they are understood here, defaults and all, without the values of the header fields that probes send. */
function checks({ healthchecks }: Readonly<Record<string, unknown>>): object {
  const read = v.safeParse(healthCheckRecord, healthchecks);
  if (!read.success) return {};
  const { active, ...others } = read.output;
  if (!active) return { healthchecks: others };
  const { headers, ...rest } = active;
  return { healthchecks: { ...others, active: { ...rest, header_names: Object.keys(headers) } } };
}

/** The names of the fields and parameters that a route asks for. What they must be may be a secret. */
function conditions({ headers, query }: Readonly<Record<string, unknown>>): Record<string, readonly string[]> {
  return { header_names: Object.keys(Object(headers)), query_names: Object.keys(Object(query)) };
}

function wholeNumber(text: string | null, fallback: number, most: number): number | undefined {
  if (text === null) return fallback;
  const number = Number(text);
  return /^\d{1,15}$/.test(text) && number <= most ? number : undefined;
}
