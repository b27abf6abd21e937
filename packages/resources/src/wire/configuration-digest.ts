/** SHA-256 of a text's UTF-8 bytes, lower-case hex. A port: this package runs without Node. */
export type Sha256 = (text: string) => string;

/** Groups that leaves are cut into. A change hashes its groups and the list of group hashes anew: 64 KiB and some leaves. */
const groupCount = 1024;

interface Group {
  readonly leaves: string[];
  hash: string | undefined;
}

/**
 * The hash of a configuration, kept up to date at the cost of a change and not of the whole. Each record's line has a leaf, its
 * SHA-256. The hash is SHA-256 over the tenant, the gateway and the hashes of {@link groupCount} groups; a group is the sorted
 * list of the leaves that begin with its 10 bits, and its hash SHA-256 over that list.
 *
 * Why it is sound: leaves and group hashes have a fixed length, and the leaves decide their groups and their order, so two
 * different sets of lines are hashed as two different texts somewhere on the way up. Equal hashes of different sets would be a
 * collision of SHA-256. Sums and XOR of leaves are cheaper, but collisions can be made for them.
 */
export class ConfigurationDigest {
  readonly #sha256: Sha256;
  readonly #place: string;
  readonly #groups: readonly Group[] = Array.from({ length: groupCount }, () => ({ leaves: [], hash: undefined }));
  readonly #stale = new Set<Group>(this.#groups);
  #value: string | undefined;

  /** @param place whose configuration it is, so that equal records of two gateways do not hash alike */
  constructor(sha256: Sha256, place: { readonly tenantId: string; readonly gatewayId: string }) {
    this.#sha256 = sha256;
    this.#place = `${JSON.stringify([place.tenantId, place.gatewayId])}\n`;
  }

  /** A record came. */
  add(leaf: string): void {
    this.#groupOf(leaf).leaves.push(leaf);
  }

  /** A record went. @throws RangeError for a leaf that is not there */
  remove(leaf: string): void {
    const { leaves } = this.#groupOf(leaf);
    const at = leaves.indexOf(leaf);
    if (at === -1) throw new RangeError('the digest has no such leaf');
    leaves[at] = leaves.at(-1) ?? leaf;
    leaves.pop();
  }

  /** Hashes one group that changed, so that the work can be done in slices. @returns whether more are left */
  settleOne(): boolean {
    for (const group of this.#stale) {
      group.hash = this.#sha256(group.leaves.toSorted().join(''));
      this.#stale.delete(group);
      break;
    }
    return this.#stale.size > 0;
  }

  /** The hash, lower-case hex. */
  value(): string {
    while (this.#stale.size > 0) this.settleOne();
    this.#value ??= this.#sha256(this.#place + this.#groups.map(({ hash }) => hash).join(''));
    return this.#value;
  }

  #groupOf(leaf: string): Group {
    const group = this.#groups[Number.parseInt(leaf.slice(0, 3), 16) >> 2];
    if (group === undefined) throw new RangeError('a leaf is lower-case hex');
    this.#stale.add(group);
    this.#value = undefined;
    return group;
  }
}
