import { bundleFamilies } from '@portcullis/resources';
import { caCertificateBehaviour } from '../certificates/ca-certificate-behaviour.ts';
import { certificateRules } from '../certificates/certificate-behaviour.ts';
import { credentialBehaviour } from '../consumers/credential-behaviour.ts';
import { pluginBehaviour, routeBehaviour } from '../plugins/plugin-behaviour.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { serviceBehaviour } from '../services/service-behaviour.ts';
import { targetBehaviour } from '../targets/target-behaviour.ts';

/** The parts of behaviours that planning uses. All are pure, so a thread may have its own. */
const pureParts = ['derive', 'check', 'secretPointers', 'madeUp', 'isSameSecret'] as const;

/** The behaviours that matter to planning, without anything that needs a database: what a thread can build for itself. */
export const bundleBehaviours: ReadonlyMap<string, FamilyBehaviour> = new Map<string, FamilyBehaviour>([
  ['certificates', certificateRules],
  ['ca-certificates', caCertificateBehaviour],
  ['services', serviceBehaviour],
  ['targets', targetBehaviour],
  ['routes', routeBehaviour],
  ['plugins', pluginBehaviour],
  ['consumer-credentials', credentialBehaviour],
]);

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
