import type { DatabaseKind } from './options.ts';

/** What is measured in each repetition, in this order, then in the reverse one. */
export const cases = [
  { name: 'bare_1', what: 'bare insert, 1 connection' },
  { name: 'create_1', what: 'create, 1 caller' },
  { name: 'read_1', what: 'read, 1 caller' },
  { name: 'list_1', what: 'list of 50, 1 caller' },
  { name: 'bare_16', what: 'bare insert, 16 connections' },
  { name: 'create_16', what: 'create, 16 callers, one tenant' },
  { name: 'create_16_tenants', what: 'create, 16 callers, a tenant each' },
  { name: 'read_16', what: 'read, 16 callers' },
  { name: 'list_16', what: 'list of 50, 16 callers' },
] as const;

/** See {@link cases}. */
export type CaseName = (typeof cases)[number]['name'];

/** One case in one repetition. */
export interface CaseMeasurement {
  readonly database: DatabaseKind;
  readonly name: CaseName;
  readonly perSecond: number;
  /** Absent for bare inserts, as is the processor time: nothing of ours runs. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** User and system time of the control plane's process for 1,000 operations. */
  readonly cpuSecondsPer1000?: number;
}

/** The two pages of a long list in one repetition, asked for in turn: median times of an answer. */
export interface PageMeasurement {
  readonly database: DatabaseKind;
  readonly firstMs: number;
  readonly farMs: number;
}

/** All that a run measured. */
export interface Measurements {
  readonly cases: readonly CaseMeasurement[];
  readonly pages: readonly PageMeasurement[];
}
