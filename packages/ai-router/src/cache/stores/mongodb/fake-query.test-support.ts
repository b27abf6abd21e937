import type { Document } from './documents.ts';

/** Whether a document fits a filter: equality, `$gt`, `$gte`, `$lte`, `$in`, `$or`. Anything else is a mistake of the test's subject. */
export function matches(document: Document, filter: object): boolean {
  return Object.entries(filter).every(([field, wanted]: [string, unknown]) => {
    if (field === '$or') return (wanted as object[]).some((one) => matches(document, one));
    if (field.startsWith('$')) throw new Error(`no filter is called ${field}`);
    const value = comparable(document[field]);
    if (!isOperators(wanted)) return value === comparable(wanted);
    return Object.entries(wanted).every(([operator, bound]) => {
      if (operator === '$in') return (bound as unknown[]).includes(document[field]);
      const [left, right] = [value as number, comparable(bound) as number];
      if (operator === '$gt') return left > right;
      if (operator === '$gte') return left >= right;
      if (operator === '$lte') return left <= right;
      throw new Error(`no operator is called ${operator}`);
    });
  });
}

/** A document with, or without, some fields; `_id` is always there. */
export function withoutFields(document: Document, projection: Record<string, unknown>): Document {
  const fields = Object.entries(projection);
  const includes = fields.some(([, value]) => value === 1);
  if (includes && fields.some(([, value]) => value === 0)) throw new Error('a projection cannot include and exclude');
  const isThere = (name: string): boolean => (includes ? name === '_id' || name in projection : !(name in projection));
  return Object.fromEntries(Object.entries(document).filter(([name]) => isThere(name)));
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function isOperators(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.keys(value).some((name) => name.startsWith('$'));
}
