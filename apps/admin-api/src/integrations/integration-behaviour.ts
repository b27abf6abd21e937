import { type AnyDriver, findDriver } from '@portcullis/integrations';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { validate } from '../http/field-problems.ts';
import { type FieldProblem, Problem } from '../http/problem.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { toPointer } from '../resources/json-pointer.ts';
import { referenceProblems } from '../resources/reference-problems.ts';
import { readTypedConfig } from '../resources/typed-config.ts';
import { isValues, type Values } from '../resources/values.ts';
import { integrationFamily, readLastSync, readLastSyncs } from './integration-states.ts';

/** Integrations of one tenant. Each keeps results. */
export const integrationsPerTenantMax = 200;

/** What stands for something else in paths. */
const reservedNames: ReadonlySet<unknown> = new Set(['drivers']);

/**
 * Integrations: the driver decides what `config` and `secrets` hold. Each secret is sealed, and is sent nowhere but where it was
 * given for: who changes the driver or an address brings the secrets again. Source: spec, Integration driver configuration; wire
 * contract, AI records, integrations, SDKs.
 */
export const integrationBehaviour: FamilyBehaviour = {
  derive: (values) => ({ ...values, config: readConfig(values).config }),
  check: (values) => [...readConfig(values).problems, ...secretProblems(values)],
  secretPointers: (values) => Object.keys(secretsOf(values)).map((name) => toPointer(['secrets', name])),
  secretDestinations(values) {
    const { driver, config } = values;
    const given = isValues(config) ? config : {};
    const destination = [driver, (driverOf(values)?.addressFields ?? []).map((name) => given[name] ?? null)];
    return () => destination;
  },
  async prepare({ id, values }) {
    const problems = (['id', 'name'] as const)
      .filter((field) => reservedNames.has(field === 'id' ? id : values[field]))
      .map((field) => ({ pointer: `/${field}`, code: 'reserved', message: 'stands for something else in paths' }));
    return problems.length > 0 ? { ok: false, problems } : { ok: true, body: values };
  },
  async afterWrite({ transaction, before, after }) {
    if (after && !before) await demandRoom(transaction, after.tenantId);
  },
  async liveFields(executor, tenantId, records, isList) {
    const ids = records.map(({ id }) => id);
    const results = isList
      ? await readLastSyncs(executor, tenantId, ids)
      : new Map(
          await Promise.all(ids.map(async (id) => [id, await readLastSync(executor, { tenantId, id })] as const)),
        );
    return new Map(
      records.map((record) => [
        record.id,
        { secrets_set: Object.keys(secretsOf(record.body)).sort(), last_sync: results.get(record.id) ?? null },
      ]),
    );
  },
};

/** @throws Problem `quota_exceeded`. The write, which has made the record, holds the tenant's lock. */
async function demandRoom(transaction: Transaction<Tables>, tenantId: string): Promise<void> {
  const { total } = await transaction
    .selectFrom('resources')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where('family', '=', integrationFamily)
    .executeTakeFirstOrThrow();
  if (total > integrationsPerTenantMax)
    throw new Problem('quota_exceeded', `a tenant has at most ${integrationsPerTenantMax} integrations`);
}

function driverOf({ driver }: Values): AnyDriver | undefined {
  return typeof driver === 'string' ? findDriver(driver) : undefined;
}

function secretsOf({ secrets }: Values): Values {
  return isValues(secrets) ? secrets : {};
}

function readConfig(values: Values) {
  return readTypedConfig(driverOf(values)?.configSchema, values);
}

/** What is wrong with the secrets, none of which is repeated. */
function secretProblems(values: Values): readonly FieldProblem[] {
  const driver = driverOf(values);
  if (!driver) return [];
  const read = validate(driver.secretsSchema, values['secrets']);
  const problems = read.ok ? referencesIn(secretsOf(values)) : read.problems;
  return problems.map((problem) => ({ ...problem, pointer: `/secrets${problem.pointer}` }));
}

/** Syncs are the control plane's, and it reads no vaults. */
function referencesIn(secrets: Values): readonly FieldProblem[] {
  const why = 'the control plane, which syncs, reads no vaults';
  return Object.entries(secrets).flatMap(([name, value]) => referenceProblems(toPointer([name]), value, why));
}
