import pg from 'pg';

/** Type numbers of PostgreSQL's catalogue that the driver would give as text. */
const INT8 = 20;
const NUMERIC = 1700;

/**
 * Parsers for one pool, so that numbers come as they do from SQLite: 64-bit integers, and the sums of them, as numbers.
 * Set here and not in the driver's global table, which other users of `pg` in the same process share.
 */
export function columnTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, parseInteger);
  types.setTypeParser(NUMERIC, Number);
  return types;
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the integer ${text} is beyond 2^53`);
  return value;
}
