import { catalogue } from '@portcullis/resources';
import type { Operation } from '../http/operation.ts';
import type { FamilyHandlerParts } from './family-handlers.ts';
import { familyOperations } from './family-operations.ts';

/** Every operation of every family of the catalogue. No family has operations written by hand. */
export function resourceOperations(parts: FamilyHandlerParts): Operation[] {
  return catalogue.flatMap((family) => familyOperations(parts, family));
}
