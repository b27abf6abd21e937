import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** A bucket that holds `capacity` attempts and wins one back every `refillMs`. */
interface BucketRule {
  readonly capacity: number;
  readonly refillMs: number;
}

/**
 * How many failed logins are let through before hashing. An address alone gets more than one account from it, so that a
 * few colleagues behind one address do not block each other; an account under attack from many addresses slows down for
 * strangers only. A name under attack in several tenants slows down too, since all of these attempts may mean one super
 * administrator; an attack in a single tenant never uses that up, so it stays that tenant's. Only what the caller sent counts,
 * never what was found: the answer must not tell names that exist. Source: wire contract, Paths and small rules; security,
 * Login brute force.
 */
export const loginLimits = {
  accountFromAddress: { capacity: 8, refillMs: 10_000 },
  address: { capacity: 20, refillMs: 3_000 },
  account: { capacity: 30, refillMs: 5_000 },
  name: { capacity: 60, refillMs: 2_500 },
} as const satisfies Record<string, BucketRule>;

/** How many accounts and addresses are remembered; the least recently seen are forgotten. */
const bucketsMax = 20_000;

/** Slows down guessing. Kept per process: with several replicas each counts for itself. */
export interface LoginThrottle {
  /** Takes one attempt. @returns milliseconds to wait, or 0 when the attempt may go on */
  attempt(login: LoginAttempt): number;
  /** Gives the attempt back, and remembers that the account's owner comes from this address. */
  succeeded(login: LoginAttempt): void;
  /** Gives the attempt back, because it could not be told whether it was right. */
  brokeOff(login: LoginAttempt): void;
}

/** Who is being logged in, from where. */
export interface LoginAttempt {
  /** The tenant as it was named; empty when none was. */
  readonly tenantId: string;
  readonly username: string;
  readonly address: string;
}

/** A throttle of token buckets over a clock that never goes back, in milliseconds. */
export function createLoginThrottle(monotonicMs: () => number): LoginThrottle {
  const levels = new LRUCache<string, { left: number; atMs: number }>({ max: bucketsMax });
  const owners = new LRUCache<string, true>({ max: bucketsMax });

  const level = (key: string, rule: BucketRule): { left: number; atMs: number } => {
    const now = monotonicMs();
    const before = levels.get(key) ?? { left: rule.capacity, atMs: now };
    const left = Math.min(rule.capacity, before.left + (now - before.atMs) / rule.refillMs);
    return { left, atMs: now };
  };

  const giveBack = (login: LoginAttempt): void => {
    for (const [key, rule] of bucketsOf(login, owners)) {
      const current = level(key, rule);
      levels.set(key, { ...current, left: Math.min(rule.capacity, current.left + 1) });
    }
  };

  return {
    attempt(login) {
      const buckets = bucketsOf(login, owners);
      const waits = buckets.map(([key, rule]) => Math.max(0, 1 - level(key, rule).left) * rule.refillMs);
      const waitMs = Math.ceil(Math.max(...waits));
      if (waitMs > 0) return waitMs;
      for (const [key, rule] of buckets) {
        const current = level(key, rule);
        levels.set(key, { ...current, left: current.left - 1 });
      }
      return 0;
    },
    succeeded(login) {
      giveBack(login);
      owners.set(pairKey(login), true);
    },
    brokeOff: giveBack,
  };
}

function bucketsOf(login: LoginAttempt, owners: LRUCache<string, true>): readonly (readonly [string, BucketRule])[] {
  const fromAnywhere = [
    [`account ${accountKey(login)}`, loginLimits.account],
    [`name ${login.username}`, loginLimits.name],
  ] as const;
  const isOwner = owners.has(pairKey(login));
  return [
    [`pair ${pairKey(login)}`, loginLimits.accountFromAddress],
    [`address ${network(login.address)}`, loginLimits.address],
    ...(isOwner ? [] : fromAnywhere),
  ];
}

function accountKey(login: LoginAttempt): string {
  return JSON.stringify([login.tenantId, login.username]);
}

function pairKey(login: LoginAttempt): string {
  return `${accountKey(login)} ${network(login.address)}`;
}

/** One household of IPv6 has a /64: its addresses count as one. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
