import { NetworkSet, readNetwork } from '@portcullis/egress/networks';
import * as v from 'valibot';

/** Most entries of one list. */
export const NETWORKS_MAX = 10_000;

/** Longest text of a network: eight groups, the last two as IPv4, and a prefix. */
const NETWORK_LENGTH_MAX = 49;

const network = v.pipe(
  v.string('must be text'),
  v.maxLength(NETWORK_LENGTH_MAX, `must have at most ${NETWORK_LENGTH_MAX} characters`),
  v.rawCheck<string>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const read = readNetwork(dataset.value);
    if (typeof read === 'string') addIssue({ message: read });
  }),
);

/**
 * A list of addresses and CIDR ranges. Entries with bits beyond their prefix are refused: `10.0.0.1/8` is a slip for one address or for many,
 * and only who wrote it knows for which.
 */
export function networksField(description: string) {
  return v.pipe(
    v.array(network, 'must be a list of addresses and CIDR ranges'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(NETWORKS_MAX, `must have at most ${NETWORKS_MAX} entries`),
    v.description(description),
  );
}

/** The set of a list that was checked. */
export function networksOf(entries: readonly string[]): NetworkSet {
  return new NetworkSet(entries.map(readNetwork).filter((entry) => typeof entry !== 'string'));
}
