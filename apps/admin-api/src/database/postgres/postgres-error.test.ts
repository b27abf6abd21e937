import pg from 'pg';
import { expect, it } from 'vitest';
import { ConstraintViolationError, DatabaseStatementError, DatabaseUnavailableError } from '../database-errors.ts';
import { postgresError } from './postgres-error.ts';

function fromServer(code: string): Error {
  return Object.assign(new pg.DatabaseError('what the server says', 20, 'error'), { code });
}

it.each(['57P01', '57P03', '57014', '53300', '08006', '55P03', '25P03'])(
  'the code %s of the server says that it is not available',
  (code) => expect(postgresError(fromServer(code))).toBeInstanceOf(DatabaseUnavailableError),
);

// Five capitals, as an SQLSTATE has.
it.each(['EPIPE', 'ECONNRESET', 'ETIMEDOUT'])('the code %s of a socket does so too', (code) => {
  const error = Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
  expect(postgresError(error)).toBeInstanceOf(DatabaseUnavailableError);
});

it('other codes of the server say something about the statement', () => {
  expect(postgresError(fromServer('42601'))).toMatchObject({ databaseCode: '42601' });
  expect(postgresError(fromServer('42601'))).toBeInstanceOf(DatabaseStatementError);
  expect(postgresError(fromServer('23505'))).toBeInstanceOf(ConstraintViolationError);
});
