import type { UpstreamPlan } from './upstream-plan.ts';

/**
 * The name that endpoints of a plan are asked for in TLS, and that their certificates must have: the upstream's host header, as in Kong,
 * where it is given, else the target's own; `undefined` without TLS.
 */
export function nameInTls({ protocol, hostHeader }: UpstreamPlan, targetHost: string): string | undefined {
  if (protocol !== 'https' && protocol !== 'grpcs' && protocol !== 'tls') return undefined;
  return hostHeader === undefined ? targetHost : hostWithoutPort(hostHeader);
}

/** The host of a `host` header, without brackets. */
export function hostWithoutPort(authority: string): string {
  return /^\[(.*)\](?::\d*)?$/.exec(authority)?.[1] ?? authority.replace(/:\d*$/, '');
}
