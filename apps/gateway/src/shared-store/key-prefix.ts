/**
 * What stands before each key of a gateway: no two gateways, and so no two tenants, have one key. The braces make all keys of a call
 * lie on one node where keys are spread over several. Source: Redis cluster specification, hash tags.
 */
export function keyPrefix(tenantId: string, gatewayId: string): string {
  // Without colons and braces in the parts, nobody's ID can pose as two.
  return `portcullis:{${encodeURIComponent(tenantId)}:${encodeURIComponent(gatewayId)}}:`;
}
