import { hash } from 'node:crypto';
import { ConfigurationDigest, recordLine } from '@portcullis/resources';
import type { ConfigurationFamily, DeliveredRecord } from '@portcullis/resources';
import { KnownValues, offeredBy, type Selector } from './known-values.ts';

/** A record of a configuration, by `family/id`. */
export type RecordKey = `${ConfigurationFamily}/${string}`;

/** One record as it is, or that it is not delivered. */
export interface ImageChange {
  readonly key: RecordKey;
  /** What it offers to others, and its line; `undefined` when the gateway does not get it. */
  readonly delivered: { readonly line: string; readonly offers: readonly Selector[] } | undefined;
  /** What a record of the tenant selects; `undefined` for one that is gone or that selects nothing that can come or go. */
  readonly selects: readonly Selector[] | undefined;
}

interface ImageEntry {
  readonly line: string;
  readonly leaf: string;
  readonly offers: readonly Selector[];
}

/** A revision of the image, with what moved to get there. */
interface Step {
  readonly revision: number;
  readonly hash: string;
  readonly keys: readonly RecordKey[];
}

/** What the history of an image keeps at most: steps, and keys in all of them. */
const stepsMax = 1000;
const stepKeysMax = 20_000;

const sha256 = (text: string): string => hash('sha256', text);

/**
 * One gateway's configuration in the control plane's memory: a line per record, the hash, and who selects what. A change costs
 * what it touches. Records that the gateway does not get are kept by what they select only, never with their content.
 */
export class ConfigurationImage {
  readonly tenantId: string;
  readonly gatewayId: string;
  readonly known: KnownValues;
  /** Names of the groups that list a consumer, by its ID, and the realms of the gateway; both as at the last rebuild. */
  readonly audience: Audience;
  readonly #entries = new Map<RecordKey, ImageEntry>();
  readonly #selected = new Map<Selector, Set<RecordKey>>();
  readonly #selects = new Map<RecordKey, readonly Selector[]>();
  readonly #digest: ConfigurationDigest;
  #steps: Step[] = [];
  #characters = 0;
  #revision = 0;
  #logRevision = 0;

  constructor(place: { readonly tenantId: string; readonly gatewayId: string }, fixed: ImageAudience) {
    this.tenantId = place.tenantId;
    this.gatewayId = place.gatewayId;
    this.audience = fixed.audience;
    this.known = new KnownValues();
    for (const selector of fixed.offers) this.known.add(selector, 1);
    this.#digest = new ConfigurationDigest(sha256, place);
  }

  /** The gateway's revision that the image shows. */
  get revision(): number {
    return this.#revision;
  }

  /** The tenant's revision that the image shows: as far as it has read the change log. */
  get logRevision(): number {
    return this.#logRevision;
  }

  get hash(): string {
    return this.#digest.value();
  }

  /** Characters of all lines. */
  get characters(): number {
    return this.#characters;
  }

  get size(): number {
    return this.#entries.size;
  }

  lines(): string[] {
    return Array.from(this.#entries.values(), ({ line }) => line);
  }

  lineOf(key: RecordKey): string | undefined {
    return this.#entries.get(key)?.line;
  }

  offersOf(key: RecordKey): readonly Selector[] {
    return this.#entries.get(key)?.offers ?? [];
  }

  /** Records of the tenant that select one of these, delivered or not. */
  selecting(selectors: Iterable<Selector>): Set<RecordKey> {
    const keys = new Set<RecordKey>();
    for (const selector of selectors) for (const key of this.#selected.get(selector) ?? []) keys.add(key);
    return keys;
  }

  /** Records that select services, routes or consumers: what may come and go with those. */
  selectingBeyondGateway(): RecordKey[] {
    const isBeyond = (selector: Selector): boolean => /^(?:service|route|consumer)_/.test(selector);
    return [...this.#selects].filter(([, selectors]) => selectors.some(isBeyond)).map(([key]) => key);
  }

  /** Takes changes in, all at once. Those that change no line are no part of the history. */
  apply(changes: readonly ImageChange[], to: { readonly revision: number; readonly logRevision: number }): void {
    const moved = changes.filter((change) => this.#applyOne(change)).map(({ key }) => key);
    this.#moveTo(to, moved);
  }

  /**
   * Goes on from an earlier image of the same gateway: nodes that have a revision of that one get deltas.
   * @returns this
   */
  following(earlier: ConfigurationImage): this {
    const keys = new Set([...earlier.#entries.keys(), ...this.#entries.keys()]);
    const moved = [...keys].filter((key) => earlier.#entries.get(key)?.leaf !== this.#entries.get(key)?.leaf);
    const to = { revision: this.#revision, logRevision: this.#logRevision };
    this.#steps = earlier.#steps;
    this.#moveTo(to, moved);
    return this;
  }

  /**
   * Keys of everything that may differ from what a node has.
   * @returns `unknown` for a revision that the history does not have, `other` when the node's is not what this image was then
   */
  movedSince(revision: number, nodeHash: string): ReadonlySet<RecordKey> | 'unknown' | 'other' {
    const at = this.#steps.findLastIndex((step) => step.revision === revision);
    if (at === -1) return 'unknown';
    if (this.#steps[at]?.hash !== nodeHash) return 'other';
    return new Set(this.#steps.slice(at + 1).flatMap(({ keys }) => keys));
  }

  #moveTo(to: { readonly revision: number; readonly logRevision: number }, keys: readonly RecordKey[]): void {
    const stays = keys.length === 0 && this.#steps.at(-1)?.revision === to.revision;
    this.#revision = to.revision;
    this.#logRevision = to.logRevision;
    if (stays) return;
    // Nothing leads to the first step, so its keys would only fill the history.
    this.#steps.push({ revision: to.revision, hash: this.hash, keys: this.#steps.length === 0 ? [] : keys });
    let kept = this.#steps.reduce((sum, step) => sum + step.keys.length, 0);
    while (this.#steps.length > 1 && (this.#steps.length > stepsMax || kept > stepKeysMax)) {
      kept -= this.#steps.shift()?.keys.length ?? 0;
      // The oldest step's own keys led to it from one that is gone.
      const [oldest] = this.#steps;
      if (oldest) kept -= oldest.keys.length;
      if (oldest) this.#steps[0] = { ...oldest, keys: [] };
    }
  }

  #applyOne({ key, delivered, selects }: ImageChange): boolean {
    this.#select(key, selects);
    const before = this.#entries.get(key);
    const leaf = delivered && sha256(delivered.line);
    if (before?.leaf === leaf) return false;
    if (before) {
      this.#digest.remove(before.leaf);
      this.#characters -= before.line.length;
      for (const selector of before.offers) this.known.add(selector, -1);
    }
    if (delivered && leaf !== undefined) {
      this.#entries.set(key, { ...delivered, leaf });
      this.#digest.add(leaf);
      this.#characters += delivered.line.length;
      for (const selector of delivered.offers) this.known.add(selector, 1);
    } else this.#entries.delete(key);
    return true;
  }

  #select(key: RecordKey, selects: readonly Selector[] | undefined): void {
    for (const selector of this.#selects.get(key) ?? []) {
      const keys = this.#selected.get(selector);
      keys?.delete(key);
      if (keys?.size === 0) this.#selected.delete(selector);
    }
    if (selects === undefined || selects.length === 0) this.#selects.delete(key);
    else this.#selects.set(key, selects);
    for (const selector of selects ?? []) {
      const keys = this.#selected.get(selector) ?? new Set();
      this.#selected.set(selector, keys.add(key));
    }
  }
}

/** What decides which consumers a gateway gets, and with which groups. A change of it makes a new image. */
export interface Audience {
  readonly realmIds: ReadonlySet<unknown>;
  /** Names of the groups that list a consumer, by its ID. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** What is fixed for the life of an image. */
export interface ImageAudience {
  readonly audience: Audience;
  /** What the gateway itself offers: its ID and its workspace. */
  readonly offers: readonly Selector[];
}

/** The change that delivers a record. */
export function delivering(
  family: ConfigurationFamily,
  record: DeliveredRecord,
  selects: readonly Selector[] | undefined,
): ImageChange {
  const key: RecordKey = `${family}/${record.id}`;
  return { key, delivered: { line: recordLine(family, record), offers: offeredBy(family, record) }, selects };
}

/** The change that keeps a record away from the gateway. */
export function withholding(key: RecordKey, selects: readonly Selector[] | undefined): ImageChange {
  return { key, delivered: undefined, selects };
}
