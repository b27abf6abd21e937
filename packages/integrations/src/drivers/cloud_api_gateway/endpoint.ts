import { IntegrationError } from '../../integration-error.ts';
import { isBaseUrl } from '../../schema/fields.ts';
import type { CloudApiGatewayConfig } from './config.ts';

/** The cloud's own variables that name another endpoint, the first that is set counts. Source: AWS, Service-specific endpoints. */
export const ENDPOINT_VARIABLES: readonly string[] = ['AWS_ENDPOINT_URL_API_GATEWAY', 'AWS_ENDPOINT_URL'];

/**
 * Where the requests go: what the tenant configured, else what the operator's process says, else the cloud's own address of the region.
 * @throws IntegrationError `invalid_input` for a variable that holds no address
 */
export function endpointOf(
  { region, endpoint_url: configured }: CloudApiGatewayConfig,
  variable: (name: string) => string | undefined,
): string {
  if (configured !== undefined) return configured;
  for (const name of ENDPOINT_VARIABLES) {
    const given = variable(name);
    if (given === undefined) continue;
    if (!isBaseUrl(given)) throw new IntegrationError('invalid_input', `the variable ${name} holds no address`);
    return given;
  }
  return `https://apigateway.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`;
}
