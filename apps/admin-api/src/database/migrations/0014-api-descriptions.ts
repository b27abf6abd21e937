import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

/** Descriptions of service versions, beside the records: each is up to 16 MiB, and lists read records by the hundred. ADR 0069. */
export const apiDescriptions: SchemaStep = {
  name: '0014-api-descriptions',
  async up(database, traits) {
    const table = 'api_descriptions';
    await createTable(database, traits, {
      name: table,
      columns: {
        tenant_id: 'text',
        version_id: 'text',
        sha256: 'text',
        from_revision: 'integer',
        until_revision: 'integer?',
        until_at: 'integer?',
        // The last: SQLite then need not read it where only the others are asked for.
        packed: 'text',
      },
      primaryKey: ['tenant_id', 'version_id', 'sha256'],
    }).execute();
    await createIndex(database, 'api_descriptions_by_end', table, ['until_at']);
  },
};
