import { createIndex, createTable, type SchemaStep } from './schema-step.ts';

/** Logins, the keys that sign their tokens, and the keys that seal tenants' secrets. */
export const sessionsAndKeys: SchemaStep = {
  name: '0003-sessions-and-keys',
  async up(database, traits) {
    await createTable(database, traits, {
      name: 'sessions',
      columns: {
        id: 'text',
        user_tenant_id: 'text',
        user_id: 'text',
        family_hash: 'text',
        refresh_hash: 'text',
        created_at: 'integer',
        expires_at: 'integer',
        revoked_at: 'integer?',
        impersonated_tenant_id: 'text',
        parent_session_id: 'text',
      },
      primaryKey: ['id'],
    }).execute();
    await createIndex(database, 'sessions_by_user', 'sessions', ['user_tenant_id', 'user_id']);
    await createIndex(database, 'sessions_by_expiry', 'sessions', ['expires_at']);
    await createTable(database, traits, {
      name: 'idempotency_keys',
      columns: { tenant_id: 'text', key: 'text', fingerprint: 'text', answer: 'text?', created_at: 'integer' },
      primaryKey: ['tenant_id', 'key'],
    }).execute();
    await createIndex(database, 'idempotency_keys_by_creation', 'idempotency_keys', ['created_at']);
    await createTable(database, traits, {
      name: 'signing_keys',
      columns: {
        kid: 'text',
        public_jwk: 'text',
        private_jwk: 'text',
        created_at: 'integer',
        retired_at: 'integer?',
      },
      primaryKey: ['kid'],
    }).execute();
    await createTable(database, traits, {
      name: 'tenant_keys',
      columns: { tenant_id: 'text', key_id: 'text', sealed_key: 'text', created_at: 'integer' },
      primaryKey: ['tenant_id'],
    }).execute();
  },
};
