import type { Endpoint } from './endpoint.ts';

/** What a choice may be made of: the rest of what is there is looked at only when this is empty. */
export type Level =
  /** Healthy, reachable as far as is known, and not tried for the request yet. */
  | typeof untroubled
  /** Healthy and not tried yet, though the last connection to it failed. */
  | typeof untried
  /** Healthy. */
  | typeof healthy;

/** See {@link Level}. */
export const untroubled = 0;
/** See {@link Level}. */
export const untried = 1;
/** See {@link Level}. */
export const healthy = 2;

/** Endpoints that a request has been sent to before. */
export type Tried = readonly Endpoint[];

/** An endpoint with its share. */
export interface Share {
  readonly endpoint: Endpoint;
  /** Above 0. A target with several addresses gives each an equal part of its own. */
  readonly weight: number;
}

/** Whether an endpoint may be chosen. */
export function isEligible(endpoint: Endpoint, nowMs: number, tried: Tried | undefined, level: Level): boolean {
  if (!endpoint.health.usable) return false;
  if (level === healthy) return true;
  if (tried?.includes(endpoint) === true) return false;
  return level === untried || endpoint.restsUntilMs === 0 || endpoint.restsUntilMs <= nowMs;
}

/** A way of choosing among the endpoints of one tier. */
export interface Chooser {
  /**
   * @param hash of what the request is told apart by; `undefined` when it is not
   * @param nowMs monotonic
   * @returns `undefined` when no endpoint is eligible
   */
  choose(hash: number | undefined, nowMs: number, tried: Tried | undefined, level: Level): Endpoint | undefined;
  /** Leaves with the endpoints what the next chooser over them goes on with. */
  leave(): void;
}
