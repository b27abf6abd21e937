import { createTable, type SchemaStep } from './schema-step.ts';

const RECORD = ['tenant_id', 'family', 'id'];
const INTEGRATION = ['tenant_id', 'id'];

/** What syncs found, beside the records of the integrations, and which sync is under way. ADR 0066. */
export const integrationSyncs: SchemaStep = {
  name: '0012-integrations',
  async up(database, traits) {
    await createTable(database, traits, {
      name: 'integration_states',
      columns: {
        tenant_id: 'text',
        id: 'text',
        family: 'text',
        run_id: 'text?',
        run_until: 'integer?',
        last_sequence: 'integer',
        last_sync: 'text?',
      },
      primaryKey: INTEGRATION,
    })
      .addForeignKeyConstraint('integration_states_record', RECORD, 'resources', RECORD, (key) =>
        key.onDelete('cascade'),
      )
      .execute();
    await createTable(database, traits, {
      name: 'integration_syncs',
      columns: {
        tenant_id: 'text',
        integration_id: 'text',
        sequence: 'integer',
        id: 'text',
        actor: 'text',
        record_revision: 'integer',
        result: 'text',
      },
      primaryKey: ['tenant_id', 'integration_id', 'sequence'],
    })
      // To the state and not to the record: who adds a row holds the state's lock, and a deletion holds the record's when it
      // waits for the state.
      .addForeignKeyConstraint(
        'integration_syncs_state',
        ['tenant_id', 'integration_id'],
        'integration_states',
        INTEGRATION,
        (key) => key.onDelete('cascade'),
      )
      .execute();
  },
};
