import { bundleFamilies } from '@portcullis/resources';
import { aiRecordBehaviour } from '../ai/ai-record-behaviour.ts';
import { caCertificateBehaviour } from '../certificates/ca-certificate-behaviour.ts';
import { certificateRules } from '../certificates/certificate-behaviour.ts';
import { credentialRules } from '../consumers/credential-rules.ts';
import type { CustomPackage } from '../plugins/custom-package.ts';
import { pluginBehaviour, pluginRules, routeBehaviour, routeRules } from '../plugins/plugin-behaviour.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { serviceBehaviour } from '../services/service-behaviour.ts';
import { targetAddressBehaviour } from '../targets/target-address.ts';
import { cacheStoreBehaviour } from '../vaults/cache-store-behaviour.ts';
import { vaultBehaviour } from '../vaults/vault-behaviour.ts';

/** The parts of behaviours that planning uses. All are pure, so a thread may have its own. */
const pureParts = [
  'canonical',
  'derive',
  'check',
  'secretPointers',
  'madeUp',
  'isSameSecret',
  'keptFields',
  'secretDestinations',
] as const;

/** The behaviours that matter to planning, without anything that needs a database: what a thread can build for itself. */
export const bundleBehaviours: ReadonlyMap<string, FamilyBehaviour> = new Map<string, FamilyBehaviour>([
  ['certificates', certificateRules],
  ['ca-certificates', caCertificateBehaviour],
  ['services', serviceBehaviour],
  ['targets', targetAddressBehaviour],
  ['routes', routeBehaviour],
  ['plugins', pluginBehaviour],
  ['consumer-credentials', credentialRules],
  ['vaults', vaultBehaviour],
  ['cache-store-configs', cacheStoreBehaviour],
  ['ai-records', aiRecordBehaviour],
]);

/** The same where a tenant has custom plugin packages: their schemas come with the job. */
export function behavioursWith(packages: readonly CustomPackage[]): ReadonlyMap<string, FamilyBehaviour> {
  if (packages.length === 0) return bundleBehaviours;
  const byName = new Map(packages.map((one) => [one.name, one]));
  return new Map<string, FamilyBehaviour>([
    ...bundleBehaviours,
    ['routes', { ...routeBehaviour, ...routeRules(byName) }],
    ['plugins', { ...pluginBehaviour, ...pluginRules(byName) }],
  ]);
}

/**
 * Makes sure that planning knows every rule that writing applies: a plan that passes must not fail for what it never saw.
 * @throws TypeError for a family of bundles whose behaviour is not the one in {@link bundleBehaviours}: a bug
 */
export function assertPlannable(behaviours: ReadonlyMap<string, FamilyBehaviour>): void {
  for (const { name } of bundleFamilies) {
    const [written, planned] = [behaviours.get(name), bundleBehaviours.get(name)];
    const differs = pureParts.some((part) => written?.[part] !== planned?.[part]);
    if (differs) throw new TypeError(`bundles are planned without the rules of ${name}`);
  }
}
