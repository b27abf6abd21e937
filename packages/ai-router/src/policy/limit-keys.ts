import { hash } from 'node:crypto';
import type { AdmissionRequest } from './limits.ts';

/** Names that are keys as they are; all others are there as a hash, which bounds their length. */
const PLAIN = /^[A-Za-z0-9_.~-]{1,64}$/;

/** Keys of one subject of one policy, as the scripts want them. */
export interface LimitKeys {
  readonly admit: readonly string[];
  readonly settle: readonly string[];
  /** The model as a member of the subject's set. */
  readonly model: string;
}

/**
 * Keys name whom they count and no limits: a change of the limits goes on with the counts.
 * @param prefix what tells these keys from others of the store
 */
export function limitKeys(prefix: string, { tenantId, policy, subject, model }: AdmissionRequest): LimitKeys {
  const place = [prefix, ...[tenantId, policy.id, subject].map(keyPart)].join(':');
  const modelPart = keyPart(model);
  const budget = `${place}:budget`;
  const held = `${place}:held`;
  return {
    admit: [`${place}:model:${modelPart}`, `${place}:models`, `${place}:others`, budget, held],
    settle: [budget, held],
    model: modelPart,
  };
}

function keyPart(name: string): string {
  return PLAIN.test(name) ? name : `#${hash('sha256', name, 'base64url')}`;
}
