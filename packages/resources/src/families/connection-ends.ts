import * as v from 'valibot';
import { addressRange } from '../address-ranges.ts';
import type { FamilyRule } from '../family.ts';
import { fieldLimits } from '../fields.ts';

const connectionEnd = v.pipe(
  v.strictObject({
    ip: v.optional(v.pipe(addressRange, v.description('Address or range of them; any when absent'))),
    port: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be at least 1'),
        v.maxValue(65_535, 'must be at most 65535'),
        v.description('Any when absent'),
      ),
    ),
  }),
  v.check(({ ip, port }) => ip !== undefined || port !== undefined, 'must have ip, port or both'),
);

/** Ends of a connection that a route for `tcp` or `tls` takes. Source: Kong's routes of the same fields. */
export function connectionEnds(about: string): v.GenericSchema {
  return v.optional(
    v.pipe(
      v.array(connectionEnd),
      v.maxLength(fieldLimits.listItemsMax, `must have at most ${fieldLimits.listItemsMax} items`),
      v.description(about),
    ),
    [],
  );
}

/** Requests of HTTP are never told apart by these, so a list on such a route would do nothing and nobody would notice. */
export const connectionEndsOfStreams: FamilyRule = (record) => {
  const protocols = Array.isArray(record['protocols']) ? record['protocols'] : [];
  if (protocols.includes('tcp') || protocols.includes('tls')) return [];
  return ['sources', 'destinations']
    .filter((field) => Array.isArray(record[field]) && record[field].length > 0)
    .map((field) => ({
      pointer: `/${field}`,
      code: 'needs_stream_protocol',
      message: 'needs tcp or tls among the protocols of the route',
    }));
};
