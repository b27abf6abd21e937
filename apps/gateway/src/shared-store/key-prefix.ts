/**
 * What stands before each key of a tenant: no two tenants have one key, and all gateways of one tenant have the same. Records' IDs are unique
 * in a tenant, also routes', which IDs of inline instances begin with: what has one name in two gateways is one instance. The braces make
 * all keys of a call lie on one node where keys are spread over several. Source: Redis cluster specification, hash tags.
 */
export function keyPrefix(tenantId: string): string {
  // Without colons and braces in the part, nobody's ID can pose as another and a key.
  return `portcullis:{${encodeURIComponent(tenantId)}}:`;
}
