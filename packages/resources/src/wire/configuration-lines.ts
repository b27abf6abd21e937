import * as v from 'valibot';
import { ConfigurationDigest, type Sha256 } from './configuration-digest.ts';

/**
 * The forms of configurations on the wire. A gateway refuses one that it does not know. Form 3 is form 2 with vaults, form 4 is that
 * with AI records, and form 5 that with certificates, server names and authorities: a configuration goes out in the least form that has
 * what it has, which gateways of before know.
 */
export const configurationFormats = [2, 3, 4, 5] as const;

/** See {@link configurationFormats}. */
export type ConfigurationFormat = (typeof configurationFormats)[number];

/** Media type of a configuration: one JSON text per line. */
export const configurationMediaType = 'application/x-ndjson';

/** The families of a configuration, by bundle key; `gateway` has one record, the gateway itself. */
export const configurationFamilies = [
  'gateway',
  'services',
  'routes',
  'upstreams',
  'targets',
  'consumers',
  'consumer_credentials',
  'plugins',
  'vaults',
  'ai_records',
  'certificates',
  'snis',
  'ca_certificates',
] as const;

/** See {@link configurationFamilies}. */
export type ConfigurationFamily = (typeof configurationFamilies)[number];

const revision = v.pipe(v.number(), v.integer(), v.minValue(0));
const sha256Hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * First line of a configuration. Then one line per record or removal follow, then {@link configurationEnd}. The same form
 * serves whole configurations and deltas, and what gateways keep on disk.
 */
export const configurationHead = v.object({
  format: v.picklist(configurationFormats),
  tenant_id: v.string(),
  gateway_id: v.string(),
  /** The gateway's revision that follows. */
  revision,
  /** What `ConfigurationDigest` gives over the SHA-256 of every record's line once the lines that follow are taken in. */
  hash: sha256Hex,
  /** What a delta changes; null when everything follows. */
  since: v.nullable(v.object({ revision, hash: sha256Hex })),
});

/** See {@link configurationHead}. */
export type ConfigurationHead = v.InferOutput<typeof configurationHead>;

const family = v.picklist(configurationFamilies);

/** A record that is new or replaces the one with its family and ID. */
export const configurationRecord = v.strictObject({ family, record: v.looseObject({ id: v.string() }) });

/** A record that is no more, by ID. One that the receiver does not have is no mistake. */
export const configurationRemoval = v.strictObject({ family, removed: v.string() });

/** Last line: how many lines there were, and how many records there are in all afterwards. What ends without it was cut off. */
export const configurationEnd = v.strictObject({
  end: v.strictObject({ records: count, removals: count, total: count }),
});

/** A record as configurations hold it. */
export type DeliveredRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** Records by family; what is left out is empty. */
export type ConfigurationResources = {
  readonly [Family in ConfigurationFamily]?: Family extends 'gateway' ? DeliveredRecord : readonly DeliveredRecord[];
};

/**
 * The least form that has all of these lines.
 * @param lines of records and removals, as {@link recordLine} and `JSON.stringify` of a removal write them: the family first
 */
export function configurationFormatOf(lines: Iterable<string>): ConfigurationFormat {
  let format: ConfigurationFormat = 2;
  for (const line of lines) {
    const needed = leastFormats.find(([begin]) => line.startsWith(begin))?.[1] ?? 2;
    if (needed > format) format = needed;
  }
  return format;
}

/** How lines of families begin that gateways of before do not know, with the form that brought them. */
const leastFormats: readonly (readonly [begin: string, format: ConfigurationFormat])[] = [
  ['{"family":"vaults",', 3],
  ['{"family":"ai_records",', 4],
  ['{"family":"certificates",', 5],
  ['{"family":"snis",', 5],
  ['{"family":"ca_certificates",', 5],
];

/** The line of a record, without its line break. Its SHA-256 is the record's leaf in the digest. */
export function recordLine(familyName: ConfigurationFamily, record: DeliveredRecord): string {
  return JSON.stringify({ family: familyName, record });
}

/** A whole configuration in one text, with its hash; for tests and for control planes that have everything in memory. */
export function writeConfiguration(
  place: { readonly tenantId: string; readonly revision: number },
  resources: ConfigurationResources & { readonly gateway: DeliveredRecord },
  sha256: Sha256,
): { readonly hash: string; readonly text: string } {
  const lines = linesOf(resources);
  const gatewayId = resources.gateway.id;
  const digest = new ConfigurationDigest(sha256, { tenantId: place.tenantId, gatewayId });
  for (const line of lines) digest.add(sha256(line));
  const head: ConfigurationHead = {
    format: configurationFormatOf(lines),
    tenant_id: place.tenantId,
    gateway_id: gatewayId,
    revision: place.revision,
    hash: digest.value(),
    since: null,
  };
  const end = { end: { records: lines.length, removals: 0, total: lines.length } };
  return { hash: head.hash, text: `${[JSON.stringify(head), ...lines, JSON.stringify(end)].join('\n')}\n` };
}

/** The lines of records in the order of families. */
export function linesOf(resources: ConfigurationResources): string[] {
  return configurationFamilies.flatMap((name) => {
    const records = resources[name] ?? [];
    return (Array.isArray(records) ? records : [records]).map((record: DeliveredRecord) => recordLine(name, record));
  });
}
