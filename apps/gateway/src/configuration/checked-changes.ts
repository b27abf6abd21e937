import type { ConfigurationFamily } from '@portcullis/resources';
import * as v from 'valibot';
import { credentialMistakes } from './delivered-credentials.ts';
import { ErrorList, pointerOf, type ConfigurationError } from './configuration-errors.ts';
import type { ReceivedRecord, RecordKey } from './received-configuration.ts';
import * as records from './records.ts';
import { familyOf, idOf, type RecordChanges } from './record-set.ts';
import type { TimeSlices } from './time-slices.ts';
import { planTarget } from './upstream-plans.ts';

/** A record with its place in the configuration. */
export interface Placed<Value> {
  readonly value: Value;
  readonly pointer: string;
}

const schemas = {
  gateway: records.gatewayRecord,
  services: records.serviceRecord,
  routes: records.routeRecord,
  upstreams: records.upstreamRecord,
  targets: records.targetRecord,
  consumers: records.consumerRecord,
  consumer_credentials: records.credentialRecord,
  plugins: records.pluginRecord,
  vaults: records.vaultRecord,
  ai_records: records.aiRecord,
  certificates: records.certificateRecord,
  snis: records.sniRecord,
  ca_certificates: records.caCertificateRecord,
} as const;

/** A changed record of one family: checked, or `undefined` for one that is gone, left out, or disabled and no consumer. */
export type CheckedChange = {
  readonly [Family in ConfigurationFamily]: {
    readonly family: Family;
    readonly id: string;
    readonly checked: Placed<v.InferOutput<(typeof schemas)[Family]>> | undefined;
    /** As it came, also when it is disabled or left out; `undefined` when it is gone. */
    readonly received: ReceivedRecord | undefined;
  };
}[ConfigurationFamily];

/** What checking found. */
export interface CheckedChanges {
  readonly changes: readonly CheckedChange[];
  /** Mistakes of records that are left out while the others are served. */
  readonly leftOut: ReadonlyMap<RecordKey, readonly ConfigurationError[]>;
  /** Mistakes that refuse the configuration. */
  readonly errors: ErrorList;
}

/**
 * Families whose mistaken records are left out: a route that cannot be matched, a target that cannot be called, a vault or an AI
 * record of a kind that a newer control plane knows, a certificate whose key is another's. One mistake must
 * not keep every later change, a revoked key for instance, from the gateway. A plugin, service or credential that was left out
 * could let requests through that it should stop, so those refuse the configuration;
 * what refers to a vault that was left out gets no secret. Handshakes for a server name that was left out, or whose certificate was,
 * are refused, and an authority that was left out vouches for nobody.
 */
const leftOutFamilies: ReadonlySet<ConfigurationFamily> = new Set([
  'routes',
  'targets',
  'vaults',
  'ai_records',
  'certificates',
  'snis',
  'ca_certificates',
]);

/** Where a record stands in pointers of mistakes. */
export function pointerTo(key: RecordKey): string {
  return familyOf(key) === 'gateway' ? '/resources/gateway' : pointerOf(['resources', familyOf(key), idOf(key)]);
}

/** Checks every changed record, in slices of time. Nothing else is touched. */
export async function checkChanges({ upserts, removals }: RecordChanges, slices: TimeSlices): Promise<CheckedChanges> {
  const changes: CheckedChange[] = [];
  const leftOut = new Map<RecordKey, readonly ConfigurationError[]>();
  const errors = new ErrorList();
  for (const received of upserts) {
    const mistakes = new ErrorList();
    changes.push(checkOne(received, mistakes));
    if (mistakes.errors.length > 0) {
      if (leftOutFamilies.has(received.family)) leftOut.set(received.key, mistakes.errors);
      else errors.addAll(mistakes);
    }
    if (slices.isOver) await slices.next();
  }
  for (const key of removals) {
    changes.push({ family: familyOf(key), id: idOf(key), checked: undefined, received: undefined });
  }
  return { changes, leftOut, errors };
}

function checkOne(received: ReceivedRecord, mistakes: ErrorList): CheckedChange {
  const { family, key, record } = received;
  const change = { family, id: record.id, received };
  // A consumer's names tell whom to refuse while it is disabled.
  if (record['enabled'] === false && family !== 'consumers') return { ...change, checked: undefined };
  const pointer = pointerTo(key);
  const result = v.safeParse<v.GenericSchema>(schemas[family], record);
  if (result.success) {
    if (family === 'consumer_credentials') {
      for (const { path, message } of credentialMistakes(result.output as records.CredentialRecord)) {
        mistakes.add(`${pointer}${pointerOf(path)}`, message);
      }
    }
    if (family === 'targets' && planTarget(result.output as records.TargetRecord) === undefined) {
      mistakes.add(pointer, 'has no host and port');
      return { ...change, checked: undefined };
    }
    return { ...change, checked: { value: result.output, pointer } } as CheckedChange;
  }
  for (const issue of result.issues) {
    const path = (issue.path ?? []).map((item) => {
      const at = (item as { readonly key?: unknown }).key;
      return typeof at === 'number' ? at : String(at);
    });
    mistakes.add(`${pointer}${pointerOf(path)}`, `expected ${issue.expected ?? 'another value'}`);
  }
  return { ...change, checked: undefined };
}
