import type { CloudApiGatewayConfig } from './config.ts';

/** The cloud's own variables that name another endpoint, the first that is set counts. Source: AWS, Service-specific endpoints. */
export const ENDPOINT_VARIABLES: readonly string[] = ['AWS_ENDPOINT_URL_API_GATEWAY', 'AWS_ENDPOINT_URL'];

/** Where the requests go: what the tenant configured, else what the operator's process says, else the cloud's own address of the region. */
export function endpointOf(
  { region, endpoint_url }: CloudApiGatewayConfig,
  variable: (name: string) => string | undefined,
): string {
  const overriding = endpoint_url ?? ENDPOINT_VARIABLES.map(variable).find((given) => given !== undefined);
  return (
    overriding ?? `https://apigateway.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`
  );
}
