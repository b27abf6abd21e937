import type { ChainPlace, Exchange } from '@portcullis/plugin-runtime';
import { type IdentityFacts, leftFacts } from '../shared/identity-facts.ts';
import type { Config } from './config.ts';

/** Why a client may not pass: nobody knows who it is, it was let in without a name, or which field does not list it. */
export type AccessFault =
  | 'no_identity'
  | 'unnamed_client'
  | 'user_not_allowed'
  | 'group_not_allowed'
  | 'role_not_allowed'
  | 'tenant_not_allowed';

/** Decides about a request. @returns `undefined` when it may pass */
export type AccessRules = (exchange: Exchange, place: ChainPlace) => AccessFault | undefined;

/** Compiles a config: within a field one name is enough, and every field that is given must be met. Names are compared as they are. */
export function accessRules(config: Config): AccessRules {
  const [users, groups] = [setOf(config.allowed_users), setOf(config.allowed_groups)];
  const [roles, tenants] = [setOf(config.allowed_roles), setOf(config.allowed_tenants)];
  return (exchange, place) => {
    const { consumer } = exchange;
    const facts = leftFacts(exchange);
    if (consumer === undefined && facts === undefined)
      return place.isBehindAuthentication ? 'unnamed_client' : 'no_identity';
    if (users !== undefined && !isNamed(consumer, users) && !isUser(facts, users)) return 'user_not_allowed';
    if (groups !== undefined && !hasOne(consumer?.groups, groups) && !hasOne(facts?.groups, groups))
      return 'group_not_allowed';
    if (roles !== undefined && !hasOne(facts?.roles, roles)) return 'role_not_allowed';
    if (tenants !== undefined && !isOfTenant(exchange, facts, tenants)) return 'tenant_not_allowed';
    return undefined;
  };
}

function setOf(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return names === undefined ? undefined : new Set(names);
}

function isNamed(consumer: Exchange['consumer'], users: ReadonlySet<string>): boolean {
  if (consumer === undefined) return false;
  const { id, username, customId } = consumer;
  return (
    users.has(id) || (username !== undefined && users.has(username)) || (customId !== undefined && users.has(customId))
  );
}

/** Facts of a consumer name no user, so that nobody has two names. */
function isUser(facts: IdentityFacts | undefined, users: ReadonlySet<string>): boolean {
  return facts?.user !== undefined && users.has(facts.user);
}

function hasOne(names: readonly string[] | undefined, allowed: ReadonlySet<string>): boolean {
  return names?.some((name) => allowed.has(name)) === true;
}

/** Who presented a credential is of the tenant whose gateway this is. Of whom an issuer speaks, it says the tenants itself, or there are none. */
function isOfTenant(exchange: Exchange, facts: IdentityFacts | undefined, allowed: ReadonlySet<string>): boolean {
  return facts === undefined ? allowed.has(exchange.facts.tenantId) : hasOne(facts.tenants, allowed);
}
