import { below } from '../../calls/base-url.ts';
import type { JsonAnswer } from '../../calls/ask.ts';
import { defineDriver, type ReadInput } from '../../define-driver.ts';
import type { Driver } from '../../driver.ts';
import {
  type CloudApiGatewayConfig,
  type CloudApiGatewaySecrets,
  configSchema,
  PAGE_SIZE_DEFAULT,
  secretsSchema,
  STAGE_APIS_DEFAULT,
} from './config.ts';
import { ENDPOINT_VARIABLES, endpointOf } from './endpoint.ts';
import { type CloudApi, httpPage, restPage, stagesOf } from './listed-apis.ts';
import { signGet } from './sign-get.ts';

/** What one look records. Source: spec, Outbound integration sync calls. */
export interface CloudApiGatewayMetadata {
  readonly region: string;
  /** Listed ones, as all counts are. */
  readonly rest_api_count: number;
  readonly http_api_count: number;
  readonly api_count: number;
  readonly stage_count: number;
  /** More exist than are listed: of REST APIs, of HTTP APIs, or of the stages that were read. */
  readonly truncated: boolean;
  /** REST APIs first. */
  readonly apis: readonly CloudApi[];
}

type Read = ReadInput<CloudApiGatewayConfig, CloudApiGatewaySecrets>;

/** Source: wire, Integrations. */
const SERVICE = 'apigateway';

/** APIs and stages of a cloud's API gateway. Source: Amazon API Gateway's REST API reference, versions 1 and 2. */
export const cloudApiGateway: Driver<CloudApiGatewayConfig, CloudApiGatewaySecrets, CloudApiGatewayMetadata> =
  defineDriver({
    name: 'cloud_api_gateway',
    title: 'Cloud API gateway inventory',
    description: 'Lists the REST and HTTP APIs of an AWS account in one region, with their stages',
    setup: 'none',
    configSchema,
    secretsSchema,
    // 500 APIs with their policies are a few megabytes. The specification shows no time: two lists and ten APIs' stages take a few seconds.
    // An API has up to 75 values with its tags.
    limits: { timeoutMs: 30_000, responseBytesMax: 8 * 1024 * 1024, valuesMax: 50_000 },
    variables: ENDPOINT_VARIABLES,
    known: ({ config }) => ({ region: config.region }),
    read: readInventory,
  });

async function readInventory(input: Read): Promise<CloudApiGatewayMetadata> {
  const { region, page_size: size = PAGE_SIZE_DEFAULT, stage_api_limit: stageApis = STAGE_APIS_DEFAULT } = input.config;
  const get = signedGets(input);
  const rest = restPage(await get('rest_apis', `/restapis?limit=${size}`), size, input.text);
  const http = httpPage(await get('http_apis', `/v2/apis?MaxResults=${size}`), size, input.text);
  const listed = [...rest.apis, ...http.apis];
  const apis: CloudApi[] = [];
  let isCut = rest.isCut || http.isCut;
  // One after the other: the cloud takes few of these requests in a second, of all who manage the account together.
  for (const [at, api] of listed.entries()) {
    if (at >= stageApis) {
      apis.push(api);
      continue;
    }
    const path = at < rest.apis.length ? `/restapis/${api.id}/stages` : `/v2/apis/${api.id}/stages`;
    // oxlint-disable-next-line no-await-in-loop -- see above
    const stages = stagesOf(await get('stages', path), input.text);
    isCut ||= stages.isCut;
    apis.push({ ...api, stage_names: stages.names });
  }
  return {
    region,
    rest_api_count: rest.apis.length,
    http_api_count: http.apis.length,
    api_count: apis.length,
    stage_count: apis.reduce((sum, { stage_names: names }) => sum + names.length, 0),
    truncated: isCut,
    apis,
  };
}

function signedGets(input: Read): (request: string, path: string) => Promise<JsonAnswer> {
  const { config, secrets, ask, nowMs, variable } = input;
  const endpoint = endpointOf(config, variable);
  const credentials = {
    accessKeyId: secrets.access_key_id,
    secretAccessKey: secrets.secret_access_key,
    sessionToken: secrets.session_token,
  };
  return (request, path) => {
    const url = new URL(below(endpoint, path));
    const headers = signGet({ url, region: config.region, service: SERVICE, nowMs: nowMs() }, credentials);
    return ask({ request, url: url.href, headers });
  };
}
