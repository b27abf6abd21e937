import { vaultConfigSchema } from '@portcullis/resources';
import { addressesFor } from '../resources/address-leaves.ts';
import type { FieldProblem } from '../http/problem.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { referenceProblems } from '../resources/reference-problems.ts';
import { readTypedConfig, type TypedConfig } from '../resources/typed-config.ts';
import { isValues, type Values } from '../resources/values.ts';

/**
 * Vaults: the driver decides what `config` holds; an access token is sealed. A vault is called by its prefix unless it has a
 * name of its own. Source: wire contract, Certificates, consumers, vaults.
 */
export const vaultBehaviour: FamilyBehaviour = {
  derive: (values) => ({ ...values, name: values['name'] ?? values['prefix'], config: read(values).config }),
  check: (values) => [...read(values).problems, ...tokenProblems(values)],
  secretDestinations({ driver, config }) {
    const addresses = addressesFor(config);
    return (pointer) => [driver, addresses(pointer.slice('/config'.length))];
  },
  secretPointers: ({ driver }) => (driver === 'hashicorp' ? ['/config/token'] : []),
};

function read(values: Values): TypedConfig {
  return readTypedConfig(vaultConfigSchema(values['driver']), values);
}

function tokenProblems({ config }: Values): readonly FieldProblem[] {
  const why = 'the token is what references are read with';
  return isValues(config) ? referenceProblems('/config/token', config['token'], why) : [];
}
