import { GENESIS, type ChainHead } from '../chain/heads.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { CompactRange } from '../tree/compact-range.ts';
import { leafHash } from '../tree/hashes.ts';
import { ChainWalk, HASHES_KEPT_MAX, type Place } from './chain-walk.ts';
import { diagnoseGlobalLink, diagnoseTenantLink, type Surroundings } from './diagnose-link.ts';
import { undecidable, type Ending, type RecordProblem } from './problem.ts';
import type { RecordFacts } from './record-facts.ts';
import { checkShown } from './shown-values.ts';

/** Whose log it is: that of all tenants, or that of one ('' for what belongs to no tenant). */
export type LogScope = { readonly kind: 'global' } | { readonly kind: 'tenant'; readonly tenantId: string };

/**
 * What comes before the first record of a log that was pruned, or of a part of a log. It is believed no further than a
 * checkpoint of its size or a later one fits.
 */
export interface LogBase {
  /** The last record before: of the chain over all tenants, or of the tenant's. */
  readonly head: ChainHead;
  /** Roots of the perfect subtrees over all records before, left to right. Without them no checkpoint can be compared. */
  readonly subtrees?: readonly string[];
  /**
   * Of the log of all tenants: their heads; a tenant that is not in it has no records before. Without it the first record
   * of each tenant is believed to go on from where its chain was.
   */
  readonly tenants?: ReadonlyMap<string, ChainHead>;
}

/** Walks along a log: its own chain, the tenants' chains in it, its tree, and the checkpoints on the way. */
export class LogWalk {
  readonly #scope: LogScope;
  readonly #base: LogBase | undefined;
  readonly #redactable: ReadonlySet<string>;
  readonly #checkpoints: Checkpoint[];
  readonly #chain: ChainWalk;
  readonly #tenants = new Map<string, ChainWalk>();
  readonly #tree: CompactRange | undefined;
  readonly #passedOver: number;
  #sealed = 0;
  #broken: Ending | undefined;
  #globalSequence = 0;

  constructor(
    scope: LogScope,
    base: LogBase | undefined,
    checkpoints: readonly Checkpoint[],
    redactable: ReadonlySet<string>,
  ) {
    this.#scope = scope;
    this.#base = base;
    this.#redactable = redactable;
    const start = base?.head ?? GENESIS;
    this.#checkpoints = checkpoints.filter((checkpoint) => checkpoint.size >= start.sequence);
    this.#passedOver = checkpoints.length - this.#checkpoints.length;
    this.#chain = new ChainWalk(start, HASHES_KEPT_MAX);
    for (const [tenantId, head] of base?.tenants ?? []) this.#tenants.set(tenantId, new ChainWalk(head));
    if (base === undefined || base.subtrees !== undefined)
      this.#tree = CompactRange.from(start.sequence, base?.subtrees ?? []);
  }

  get head(): ChainHead {
    return this.#chain.head;
  }

  /** How many records the checkpoints so far vouch for. */
  get sealed(): number {
    return this.#sealed;
  }

  /** Checkpoints of fewer records than come before the first one: they cannot be compared. */
  get passedOver(): number {
    return this.#passedOver;
  }

  /** Whether a record is missing, and only what follows can say whether it stands elsewhere. */
  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  brokenAt(): Ending | undefined {
    return this.#broken;
  }

  root(): string | undefined {
    return this.#tree?.root();
  }

  /** To be called before the first record: checkpoints of the log as it was until then. */
  begin(): Ending | undefined {
    const given = this.#checkpoints.length + this.#passedOver;
    if (this.#tree === undefined && given > 0) {
      return undecidable('no_base', 'checkpoints cannot be compared with a part of a log without what comes before it');
    }
    if (given > 0 && this.#checkpoints.length === 0) {
      const { sequence } = this.#chain.head;
      const detail = `each checkpoint has fewer records than the ${sequence} before this log: none vouches for its beginning`;
      return undecidable('no_base', detail);
    }
    return this.#compare();
  }

  /** Takes the next record, undefined for one whose text is not in canonical form. */
  take(facts: RecordFacts | undefined): Ending | undefined {
    if (facts !== undefined && this.#broken !== undefined) return this.#lookFor(facts);
    if (this.#broken !== undefined) return undefined;
    if (facts === undefined)
      return this.#tampered({
        kind: 'not_canonical',
        detail: 'the record has another spelling than RFC 8785 gives it',
      });
    const tenant = this.#tenantWalk(facts);
    const own = this.#ownProblem(facts, tenant);
    if (own !== undefined) return this.#tampered(own);
    const place = this.#placeOf(facts);
    if (!this.#chain.isNext(place)) return this.#misplaced(this.#chain.diagnose(place));
    const problem = this.#tenantProblem(facts, tenant) ?? checkShown(facts, this.#redactable);
    if (problem !== undefined) return this.#tampered(problem);
    this.#advance(facts, tenant, place);
    return this.#compare();
  }

  /** To be called behind the last record. */
  end(): Ending | undefined {
    const [next] = this.#checkpoints;
    const { sequence } = this.#chain.head;
    if (next === undefined) return undefined;
    const detail = `a checkpoint has ${next.size} records, the log ends with ${sequence}`;
    return { outcome: 'tampered', kind: 'tail_deleted', firstBad: sequence + 1, detail };
  }

  /** What is wrong with the record by itself. */
  #ownProblem(facts: RecordFacts, tenant: ChainWalk): RecordProblem | undefined {
    if (this.#scope.kind === 'tenant' && facts.tenantId !== this.#scope.tenantId) {
      return { kind: 'moved_tenant', detail: 'the record is of another tenant' };
    }
    if (facts.fitsTenantChain && facts.fitsGlobalChain) return undefined;
    const around = this.#surroundings(tenant);
    return facts.fitsTenantChain ? diagnoseGlobalLink(facts, around) : diagnoseTenantLink(facts, around);
  }

  /** What is wrong with it in the other chain that it stands in. */
  #tenantProblem({ record }: RecordFacts, tenant: ChainWalk): RecordProblem | undefined {
    if (this.#scope.kind === 'tenant') {
      if (record.global_sequence > this.#globalSequence) return undefined;
      return { kind: 'rehashed', detail: 'global_sequence does not go up' };
    }
    const place = { sequence: record.tenant_sequence, previousHash: record.previous_hash, hash: record.audit_hash };
    // Numbers of that chain are no numbers of this one: what is bad is here.
    return tenant.isNext(place) ? undefined : { ...tenant.diagnose(place), back: 0 };
  }

  /** A record that is missing may stand further on: nothing is said before the end. */
  #misplaced(problem: RecordProblem): Ending | undefined {
    const ending = this.#tampered(problem);
    if (problem.kind !== 'missing') return ending;
    this.#broken = ending;
    return undefined;
  }

  #lookFor(facts: RecordFacts): Ending | undefined {
    const isIt = facts.fitsTenantChain && facts.fitsGlobalChain && this.#chain.isNext(this.#placeOf(facts));
    return isIt
      ? this.#tampered({ kind: 'reordered', detail: `number ${this.#chain.head.sequence + 1} stands too late` })
      : undefined;
  }

  #tampered({ kind, detail, back = 0 }: RecordProblem): Ending {
    const next = this.#chain.head.sequence + 1;
    const firstBad = Math.max(next - back, Math.min(this.#firstUnsealed(), next));
    return { outcome: 'tampered', kind, firstBad, detail };
  }

  /** What a checkpoint vouches for is good; what is not in the log cannot be named. */
  #firstUnsealed(): number {
    return Math.max(this.#sealed, this.#base?.head.sequence ?? 0) + 1;
  }

  #surroundings(tenant: ChainWalk): Surroundings {
    const tenants = [...this.#tenants].map(([tenantId, walk]) => [tenantId, walk.head] as const);
    const globalHead = this.#scope.kind === 'global' ? this.#chain.head : undefined;
    return { tenantHead: tenant.head, globalHead, tenants, redactable: this.#redactable };
  }

  #placeOf({ record }: RecordFacts): Place {
    return this.#scope.kind === 'global'
      ? { sequence: record.global_sequence, previousHash: record.global_previous_hash, hash: record.global_hash }
      : { sequence: record.tenant_sequence, previousHash: record.previous_hash, hash: record.audit_hash };
  }

  #tenantWalk({ record, tenantId }: RecordFacts): ChainWalk {
    if (this.#scope.kind === 'tenant') return this.#chain;
    const known = this.#tenants.get(tenantId);
    if (known !== undefined) return known;
    const isBelieved = this.#base !== undefined && this.#base.head.sequence > 0 && this.#base.tenants === undefined;
    return new ChainWalk(isBelieved ? { sequence: record.tenant_sequence - 1, hash: record.previous_hash } : GENESIS);
  }

  #advance({ record, tenantId }: RecordFacts, tenant: ChainWalk, place: Place): void {
    this.#chain.advance(place);
    this.#globalSequence = record.global_sequence;
    this.#tree?.append(leafHash(record.audit_hash));
    if (this.#scope.kind === 'tenant') return;
    tenant.advance({ sequence: record.tenant_sequence, previousHash: record.previous_hash, hash: record.audit_hash });
    this.#tenants.set(tenantId, tenant);
  }

  /** Holds the log to the checkpoints of the size that it has now. */
  #compare(): Ending | undefined {
    const { sequence } = this.#chain.head;
    if (this.#checkpoints[0]?.size !== sequence) return undefined;
    const root = this.root();
    while (this.#checkpoints[0]?.size === sequence) {
      if (this.#checkpoints.shift()?.root !== root) {
        const detail = `the log of ${sequence} records is not the one that the checkpoint was signed over`;
        return { outcome: 'tampered', kind: 'rewritten', firstBad: this.#firstUnsealed(), detail };
      }
    }
    this.#sealed = sequence;
    return undefined;
  }
}
