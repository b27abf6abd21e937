/**
 * Who runs the hooks. `loop` calls them one after the other with nothing in between: what cannot be done for less. `listened` is the runtime with
 * a host that counts how long each hook takes, as the gateway does: the clock is read for each.
 */
export const contenders = ['loop', 'runtime', 'listened', 'hono', 'koa'] as const;

/** See {@link contenders}. */
export type Contender = (typeof contenders)[number];

/** One thing that is measured: who runs how many hooks of which kind. */
export interface ChainCase {
  readonly contender: Contender;
  readonly hooks: number;
  readonly kind: 'sync' | 'async';
}

/** The chains that are measured. */
export const chains: readonly Omit<ChainCase, 'contender'>[] = [
  { hooks: 0, kind: 'sync' },
  { hooks: 1, kind: 'sync' },
  { hooks: 10, kind: 'sync' },
  { hooks: 50, kind: 'sync' },
  { hooks: 10, kind: 'async' },
];

/** What one request costs. */
export interface ChainCost {
  /** Processor time. */
  readonly nanoseconds: number;
  /** Memory that was taken and has to be collected. */
  readonly bytes: number;
}

/** A chain's name in tables and figures, for instance `10 sync`. */
export function nameOfChain({ hooks, kind }: Omit<ChainCase, 'contender'>): string {
  return `${hooks} ${kind}`;
}
