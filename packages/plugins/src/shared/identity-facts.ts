import type { ConsumerIdentity, Exchange } from '@portcullis/plugin-runtime';
import type { Claims } from './claims/claim-value.ts';

/** Most names of one claim, and the longest, in characters; issuers put up to 200 groups into a token. What is beyond does not count. */
export const FACT_NAMES_MAX = 250;
const NAME_LENGTH_MAX = 256;

/**
 * What an issuer, or the config, says of a client beside who it is. Authentication plugins leave it for later plugins of the same request when
 * they have it from somebody whom the client cannot speak for; `jwt_auth`, whose tokens consumers sign themselves, leaves nothing.
 */
export interface IdentityFacts {
  /** Groups beside those of the consumer's record. */
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** Tenants of the client, as the issuer calls them. */
  readonly tenants: readonly string[];
  /** The name that an entry of the config gave a client that is no consumer. Default: none. */
  readonly user?: string;
}

/** The claims that are read: `groups`, `roles`, and `tenant_id` with `tenant`. A text is one name, whatever it holds; a list is names. */
export function identityFacts(claims: Claims): IdentityFacts {
  return {
    groups: namesIn(claims, 'groups'),
    roles: namesIn(claims, 'roles'),
    tenants: [...namesIn(claims, 'tenant_id'), ...namesIn(claims, 'tenant')],
  };
}

/** Characters of all names: for memories that count what they hold. */
export function sizeOfFacts({ groups, roles, tenants }: IdentityFacts): number {
  return [...groups, ...roles, ...tenants].reduce((sum, name) => sum + name.length, 0);
}

/** Leaves facts for later plugins. They belong to the consumer that the same plugin names, or to a client that is none. */
export function leaveFacts(exchange: Exchange, facts: IdentityFacts, consumer: ConsumerIdentity | undefined): void {
  exchange.state.set(stateKey, { facts, consumerId: consumer?.id } satisfies LeftFacts);
}

/**
 * Leaves the name of a client that an entry of a plugin's config knows and that is no consumer: scopes and counters never see it. Whom a
 * plugin before has found to be a consumer stays that one. The entry is the tenant's own, and so is who presents it.
 */
export function leaveUser(exchange: Exchange, user: string): void {
  if (exchange.consumer !== undefined) return;
  leaveFacts(exchange, { groups: [], roles: [], tenants: [exchange.facts.tenantId], user }, undefined);
}

/**
 * The facts of the client. None where no plugin left any, and none of somebody else: a plugin that ran later may have found the client to
 * be another consumer.
 */
export function leftFacts(exchange: Exchange): IdentityFacts | undefined {
  const left = exchange.state.get(stateKey) as LeftFacts | undefined;
  return left !== undefined && left.consumerId === exchange.consumer?.id ? left.facts : undefined;
}

const stateKey = 'identity_facts';

interface LeftFacts {
  readonly facts: IdentityFacts;
  readonly consumerId: string | undefined;
}

function namesIn(claims: Claims, name: string): readonly string[] {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const items: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, FACT_NAMES_MAX) : [claim];
  return items.filter((item) => typeof item === 'string' && item !== '' && item.length <= NAME_LENGTH_MAX) as string[];
}
