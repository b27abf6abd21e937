import type { Transaction } from 'kysely';
import { expect, it } from 'vitest';
import { ConstraintViolationError } from './database-errors.ts';
import type { Executor } from './database.ts';
import { DEFERRED_STATEMENTS_MAX, executeLater } from './deferred-statement.ts';
import { describeOnEachDatabase } from './each-database.test-support.ts';
import type { Tables } from './tables.ts';

async function revisionOf(executor: Executor, tenantId: string): Promise<number | undefined> {
  const row = await executor
    .selectFrom('tenant_revisions')
    .select('revision')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.revision;
}

function insertLater(transaction: Transaction<Tables>, tenantId: string, revision: number): Promise<void> {
  return executeLater(
    transaction,
    transaction.insertInto('tenant_revisions').values({ tenant_id: tenantId, revision }),
  );
}

describeOnEachDatabase('statements that may wait', ({ database }) => {
  it('runs statements that may wait in their places, however many there are', async () => {
    const names = Array.from({ length: 2 * DEFERRED_STATEMENTS_MAX + 3 }, (_, index) => `later-${index}`);
    await database().transaction(async (transaction) => {
      for (const [index, name] of names.entries()) {
        await insertLater(transaction, name, index);
        if (index === 1) expect(await revisionOf(transaction, 'later-1')).toBe(1);
      }
    });
    const query = database().read.selectFrom('tenant_revisions').select('revision').where('tenant_id', 'in', names);
    expect(await query.orderBy('revision').execute()).toEqual(names.map((_, revision) => ({ revision })));
  });

  it.each([
    ['the next statement', true],
    ['the commit', false],
  ])('undoes all when a statement that may wait fails, which %s tells', async (_name, hasNext) => {
    let isAtCommit = false;
    const attempt = database().transaction(async (transaction) => {
      await insertLater(transaction, 'undone-later', 1);
      await insertLater(transaction, 'undone-later', 1);
      if (hasNext) await revisionOf(transaction, 'undone-later');
      isAtCommit = true;
    });
    await expect(attempt).rejects.toSatisfy(
      (error) => error instanceof ConstraintViolationError && error.kind === 'unique',
    );
    expect(isAtCommit).toBe(!hasNext);
    expect(await revisionOf(database().read, 'undone-later')).toBeUndefined();
    expect(
      await database().transaction(async (transaction) => revisionOf(transaction, 'undone-later')),
    ).toBeUndefined();
  });

  it('never runs what waited in a transaction that was given up', async () => {
    const failure = new Error('changed my mind');
    const attempt = database().transaction(async (transaction) => {
      await insertLater(transaction, 'given-up', 1);
      throw failure;
    });
    await expect(attempt).rejects.toBe(failure);
    expect(await database().transaction(async (transaction) => revisionOf(transaction, 'given-up'))).toBeUndefined();
  });
});
