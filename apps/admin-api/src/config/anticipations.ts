import { bundleFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import type { RecordWriter } from '../resources/record-writer.ts';
import { without } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import { desiredKey } from './bundle-plan.ts';
import type { BundlePlan } from './bundle-plan.ts';

/** Records whose slow work is under way at once; the hasher has a queue of its own. */
const atOnceMax = 4;

/** What is asked of the writer. */
type Anticipating = Pick<RecordWriter, 'anticipate' | 'anticipates'>;

/** What a caller would send for a record of a bundle: its place is no field of it. */
export function sentFields(family: Family, desired: Values): Values {
  return family.scope === 'gateway' ? without(desired, 'id', 'gateway_id') : without(desired, 'id');
}

/**
 * The slow work of a plan's writes (hashing passwords), done before their session opens, so that nobody waits for it. It is
 * kept for the next attempt: a plan that is made again for a newer state asks for the same.
 */
export class Anticipations {
  readonly #writer: Anticipating;
  readonly #tenantId: string;
  readonly #made = new Map<string, Values>();

  constructor(writer: Anticipating, tenantId: string) {
    this.#writer = writer;
    this.#tenantId = tenantId;
  }

  /** Does the work for every record of a plan that needs some and has none yet. */
  async prepare(plan: BundlePlan): Promise<void> {
    const slow = new Map(
      bundleFamilies.filter((family) => this.#writer.anticipates(family)).map((family) => [family.bundle.key, family]),
    );
    const waiting: { readonly family: Family; readonly sent: Values }[] = [];
    for (const { resource_type: type, id } of plan.diff.changes) {
      const family = slow.get(type);
      const desired = family && plan.desired.get(desiredKey(type, id));
      if (desired) waiting.push({ family, sent: sentFields(family, desired) });
    }
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const key = keyOf(next.family, next.sent);
        if (!this.#made.has(key))
          this.#made.set(key, await this.#writer.anticipate(next.family, next.sent, this.#tenantId));
      }
    };
    await Promise.all(Array.from({ length: atOnceMax }, work));
  }

  /** What was made for a record; nothing for families without slow work. */
  of(family: Family, sent: Values): Values {
    return this.#writer.anticipates(family) ? (this.#made.get(keyOf(family, sent)) ?? {}) : {};
  }
}

/** The same for the same fields. IDs of targets are left out: a record that is new gets another one in every plan. */
function keyOf(family: Family, sent: Values): string {
  const fields = without(sent, ...family.references.map(({ field }) => field));
  return `${family.name}/${JSON.stringify(fields)}`;
}
