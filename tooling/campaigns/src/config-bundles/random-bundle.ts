import { bundleFamilies } from '@portcullis/resources';
import * as fc from 'fast-check';
import type { GeneratorValue } from 'fast-check';
import { recordMakers } from './record-makers.ts';
import { withSchemaValues } from './schema-values.ts';

/** A record of a bundle. */
export type BundleRecord = Readonly<Record<string, unknown>>;

/** The arrays of a bundle, without the tenant that it is for. */
export type Bundle = Readonly<Record<string, readonly BundleRecord[]>>;

/** What is drawn for a bundle as a whole. */
export interface BundleDraw {
  readonly bundle: Bundle;
  /** Whether records have secrets. Those cannot be carried to another tenant. */
  readonly hasSecrets: boolean;
}

const recordsMax = 3;

/** Draws a bundle over all families, whose records refer to each other by ID or by name. */
export function randomBundle(g: GeneratorValue): BundleDraw {
  const hasSecrets = g(fc.boolean);
  const bundle: Record<string, readonly BundleRecord[]> = {};
  for (const family of bundleFamilies) {
    const make = recordMakers[family.name];
    if (make === undefined) throw new RangeError(`nothing makes records of ${family.name}: add it to record-makers.ts`);
    const wanted = g(fc.integer, { min: family.name === 'gateways' ? 1 : 0, max: recordsMax });
    const records: BundleRecord[] = [];
    for (let index = 0; index < wanted; index += 1) {
      const made = make({ g, index, hasSecrets, bundle });
      if (made === undefined) continue;
      const id = g(fc.boolean) || made.needsId === true ? { id: `${family.singular}.${index}` } : {};
      records.push({ ...id, ...withSchemaValues(g, family, made.record) });
    }
    bundle[family.bundle.key] = records;
  }
  return { bundle, hasSecrets };
}
