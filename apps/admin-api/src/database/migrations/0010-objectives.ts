import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

const RECORD = ['tenant_id', 'family', 'id'];
const OBJECTIVE = ['tenant_id', 'id'];

/** What evaluations found, beside the records of the objectives, and what happened to each. */
export const objectives: SchemaStep = {
  name: '0010-objectives',
  async up(database, traits) {
    await createTable(database, traits, {
      name: 'slo_states',
      columns: {
        tenant_id: 'text',
        id: 'text',
        family: 'text',
        gateway_id: 'text',
        threshold_us: 'integer?',
        definition_revision: 'integer',
        evaluated_at: 'integer?',
        evaluation: 'text?',
        alert: 'text',
        last_sequence: 'integer',
        last_at: 'integer',
      },
      primaryKey: OBJECTIVE,
    })
      .addForeignKeyConstraint('slo_states_record', RECORD, 'resources', RECORD, (key) => key.onDelete('cascade'))
      .execute();
    await createIndex(database, 'slo_states_by_threshold', 'slo_states', ['tenant_id', 'gateway_id', 'threshold_us']);
    await createTable(database, traits, {
      name: 'slo_timeline',
      columns: {
        tenant_id: 'text',
        slo_id: 'text',
        sequence: 'integer',
        id: 'text',
        type: 'text',
        from_state: 'text?',
        to_state: 'text?',
        actor: 'text',
        note: 'text?',
        evaluation: 'text?',
        at: 'integer',
      },
      primaryKey: ['tenant_id', 'slo_id', 'sequence'],
    })
      // To the state and not to the record: an evaluation holds the state's lock when it adds a row, and a deletion holds the
      // record's when it waits for the state.
      .addForeignKeyConstraint('slo_timeline_state', ['tenant_id', 'slo_id'], 'slo_states', OBJECTIVE, (key) =>
        key.onDelete('cascade'),
      )
      .execute();
  },
};
