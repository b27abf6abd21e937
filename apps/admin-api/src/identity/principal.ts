/** Roles of administration users, from most to least. Source: wire contract, Users, tokens, tenants. */
export type Role = 'super_admin' | 'admin' | 'writer' | 'reader';

/** Who calls the administration API. */
export type Principal = UserPrincipal | TokenPrincipal | DataPlanePrincipal | AnonymousPrincipal;

/** A signed-in user. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  /** The user's tenant slug; `undefined` for a super admin without one. */
  readonly tenantId: string | undefined;
  readonly sessionId: string;
  /**
   * Set while a super administrator acts inside a tenant as its administrator: `id` and `username` are then still the super
   * administrator's, `role` is `admin` and `tenantId` the tenant. Source: wire contract, Paths and small rules.
   */
  readonly impersonation?: { readonly id: string };
}

/** An admin API token (`gwadm_…`). */
export interface TokenPrincipal {
  readonly kind: 'api_token';
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The tenant the token belongs to; `undefined` for one made by a super admin without a tenant. */
  readonly tenantId: string | undefined;
}

/** A gateway process with its data-plane token (`gwdp_…`). */
export interface DataPlanePrincipal {
  readonly kind: 'data_plane';
  readonly id: string;
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** The caller of a public operation. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}
