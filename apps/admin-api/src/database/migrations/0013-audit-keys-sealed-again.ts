import { sql } from 'kysely';
import { sealedKeyGuards } from './audit-guards.ts';
import type { SchemaStep } from './schema-step.ts';

/** Lets the seed of an audit key be sealed again, for the rotation of data keys; what the key is stays guarded as it was. */
export const auditKeysSealedAgain: SchemaStep = {
  name: '0013-audit-keys-sealed-again',
  async up(database, traits) {
    for (const statement of sealedKeyGuards(traits)) await sql.raw(statement).execute(database);
  },
};
