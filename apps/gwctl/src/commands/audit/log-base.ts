import { type ChainHead, isHash, type LogBase } from '@portcullis/audit-chain';
import * as v from 'valibot';

const hash = v.custom<string>(isHash);
const headSchema = v.strictObject({ sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), hash });
const schema = v.strictObject({
  base: v.strictObject({
    ...headSchema.entries,
    subtrees: v.array(hash),
    tenants: v.optional(v.record(v.string(), headSchema)),
  }),
});

/**
 * The first line of an export whose beginning retention deleted: where the log goes on, and the tree over what is gone. It is
 * not trusted: a checkpoint of a later size has to vouch for it, and a record for the deletion. Nothing for what is no such line.
 */
export function parseBase(line: string): LogBase | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) return undefined;
  const { sequence, hash: last, subtrees, tenants } = parsed.output.base;
  const head: ChainHead = { sequence, hash: last };
  return { head, subtrees, ...(tenants && { tenants: new Map(Object.entries(tenants)) }) };
}
