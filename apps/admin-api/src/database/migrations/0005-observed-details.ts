import type { SchemaStep } from './schema-step.ts';

/** The route's path that a request matched, and what AI plugins said of it. Earlier records have neither. */
export const observedDetails: SchemaStep = {
  name: '0005-observed-details',
  async up(database, traits) {
    for (const column of ['path_template', 'ai']) {
      await database.schema.alterTable('observation_records').addColumn(column, traits.textType).execute();
    }
  },
};
