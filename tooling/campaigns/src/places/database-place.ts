import type { TenantRowSource } from '@portcullis/testkit';
import type { DatabaseKind } from '../options.ts';
import { postgresPlace } from './postgres-place.ts';
import { sqlitePlace } from './sqlite-place.ts';

/** A fresh database for a control plane, and a second way into it. Disposing removes it. */
export interface DatabasePlace extends AsyncDisposable, TenantRowSource {
  /** `PORTCULLIS_DATABASE_URL` of the control plane. */
  readonly url: string;
  /** Waits until nobody else is at work in the database: what a killed process had sent may still be carried out. */
  settle(): Promise<void>;
  /** What the database itself finds wrong with its file or its references; empty when it is whole. */
  damage(): Promise<readonly string[]>;
}

/** Makes an empty database. PostgreSQL's server is the one of `PORTCULLIS_TEST_POSTGRES_URL`. */
export function databasePlace(kind: DatabaseKind): Promise<DatabasePlace> {
  return kind === 'sqlite' ? sqlitePlace() : postgresPlace(process.env['PORTCULLIS_TEST_POSTGRES_URL'] ?? '');
}
