import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** A request with an `Idempotency-Key`, as write sessions see it. */
export interface IdempotentRequest {
  /**
   * Asked first thing under the tenant's lock. @throws AlreadyCarriedOut when a request with this key wrote before
   */
  check(transaction: Transaction<Tables>, tenantId: string): Promise<void>;
  /** Takes the key, in the write's own transaction: both are committed or neither is. */
  claim(transaction: Transaction<Tables>, tenantId: string): Promise<void>;
  /** Says that the transaction of `claim` was committed. */
  committed(tenantId: string): void;
}

/** The key of a request was used before, so nothing is written. The HTTP shell answers with what is known of that. */
export class AlreadyCarriedOut extends Error {
  readonly tenantId: string;

  constructor(tenantId: string) {
    super('a request with this Idempotency-Key was carried out before');
    this.name = 'AlreadyCarriedOut';
    this.tenantId = tenantId;
  }
}
