import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

const RECORD = ['tenant_id', 'family', 'id'];

/**
 * What data planes say of the targets that they serve: a row for each target and data plane, so that who reads a page of targets reads
 * no more than that, however many others there are. Rows lie by target, as they are read.
 */
export const targetReports: SchemaStep = {
  name: '0006-target-reports',
  async up(database, traits) {
    const table = 'target_reports';
    await createTable(database, traits, {
      name: table,
      columns: {
        tenant_id: 'text',
        gateway_id: 'text',
        target_id: 'text',
        family: 'text',
        id: 'text',
        severity: 'integer',
        addresses: 'text',
      },
      // The target first: without statistics PostgreSQL looks up a list of values only where the index cannot be used without.
      primaryKey: ['target_id', 'tenant_id', 'gateway_id', 'id'],
      keyOnly: true,
    })
      .addForeignKeyConstraint('target_reports_record', RECORD, 'resources', RECORD, (key) => key.onDelete('cascade'))
      .execute();
    await createIndex(database, 'target_reports_by_record', table, RECORD);
  },
};
