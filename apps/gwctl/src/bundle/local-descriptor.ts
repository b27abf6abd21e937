import { describeFamilies } from '@portcullis/bundle-diff';
import type { BundleDescriptor, BundleRecord, CheckedRecord } from '@portcullis/bundle-diff';
import { bundleFamilies, immutableFields, metadataOf, parseTargetName, writeSchema } from '@portcullis/resources';
import type { RecordSchema } from '@portcullis/resources';
import * as v from 'valibot';
import { localSecrets } from './local-secrets.ts';
import { schemaProblems } from './schema-problems.ts';
import { withCheckedConfig } from './typed-configs.ts';

type BundleFamily = (typeof bundleFamilies)[number];

/**
 * The descriptor of Portcullis bundles out of the catalogue, for checking and comparing without a server. Plugin configurations
 * are the server's to check: it knows which packages a tenant has.
 */
export function localDescriptor(): BundleDescriptor {
  const schemas = new Map<BundleFamily, RecordSchema>();
  return describeFamilies(bundleFamilies, {
    parent: { family: 'gateways', field: 'gateway_id', nameField: 'gateway_name' },
    isRequired: (family, field) => family.fields[field]?.type !== 'optional',
    immutable: immutableFields,
    writeOnly: (family) => Object.keys(family.fields).filter((field) => isWriteOnly(family, field)),
    secretsOf: localSecrets,
    check: (family, record) => {
      let schema = schemas.get(family);
      if (!schema) schemas.set(family, (schema = writeSchema(family)));
      return check(family, schema, record);
    },
  });
}

function check(family: BundleFamily, schema: RecordSchema, record: BundleRecord): CheckedRecord {
  const result = v.safeParse(schema, record);
  if (!result.success) return { ok: false, problems: schemaProblems(result.issues) };
  // Rules ask for references by ID; a name stands for the ID that it will become.
  const forRules: Record<string, unknown> = { ...result.output };
  for (const { field, nameField } of family.references) {
    if (nameField !== undefined) forRules[field] ??= forRules[nameField];
  }
  const problems = (family.rules ?? []).flatMap((rule) => rule(forRules));
  if (problems.length > 0) return { ok: false, problems };
  return withCheckedConfig(family.name, withAddress(result.output));
}

/** A target's address may stand in its name. Source: decisions, 6. */
function withAddress(values: BundleRecord): BundleRecord {
  const name = values['name'];
  const needsIt = 'upstream_id' in values || 'upstream_name' in values;
  const address =
    needsIt && values['host'] === undefined && typeof name === 'string' ? parseTargetName(name) : undefined;
  return address ? { ...values, ...address } : values;
}

function isWriteOnly(family: BundleFamily, field: string): boolean {
  const schema = family.fields[field];
  return schema !== undefined && metadataOf(schema).writeOnly === true;
}
