import { signGet } from '../drivers/cloud_api_gateway/sign-get.ts';
import type { FakeAnswer, FakeBehaviour, FakeRequest } from './fake-system.ts';

/** An API of either list. */
export interface FakeCloudApi {
  readonly id: string;
  readonly name: string;
  readonly stages?: readonly string[];
}

/** An account of a cloud in one region. */
export interface FakeCloudAccount {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly restApis?: readonly FakeCloudApi[];
  readonly httpApis?: readonly FakeCloudApi[];
}

/** When all APIs were made: seconds since 1970, as the first list says it, and a date, as the second does. */
const CREATED = { seconds: 1_767_225_600, date: '2026-01-01T00:00:00Z' };

/**
 * The two lists of Amazon API Gateway and its stages, paged as there. Signatures are checked.
 * Source: Amazon API Gateway, REST API reference, versions 1 and 2.
 */
export function fakeCloud(account: FakeCloudAccount): FakeBehaviour {
  const { restApis = [], httpApis = [] } = account;
  return (request) => {
    if (!isSigned(request, account))
      return { status: 403, headers: { 'x-amzn-errortype': 'InvalidSignatureException' }, body: { message: 'no' } };
    const { path, query } = request;
    const [, version, id] = /^\/(restapis|v2\/apis)\/([^/]+)\/stages$/.exec(path) ?? [];
    if (path === '/restapis') return restPage(restApis, query);
    if (path === '/v2/apis') return httpPage(httpApis, query);
    const found = (version === 'restapis' ? restApis : httpApis).find((api) => api.id === id);
    if (version === undefined || found === undefined) return { status: 404, body: { message: 'no such API' } };
    const stages = (found.stages ?? []).map((stageName) => ({ stageName, createdDate: CREATED.seconds }));
    return { status: 200, body: version === 'restapis' ? { item: stages } : { items: stages } };
  };
}

function restPage(apis: readonly FakeCloudApi[], query: URLSearchParams): FakeAnswer {
  const { page, next } = paged(apis, query.get('limit'), query.get('position'));
  const item = page.map(({ id, name }) => ({ id, name, createdDate: CREATED.seconds, apiKeySource: 'HEADER' }));
  return { status: 200, body: { item, ...(next !== undefined && { position: next }) } };
}

function httpPage(apis: readonly FakeCloudApi[], query: URLSearchParams): FakeAnswer {
  const { page, next } = paged(apis, query.get('MaxResults'), query.get('NextToken'));
  const items = page.map(({ id, name }) => ({
    apiId: id,
    name,
    protocolType: 'HTTP',
    createdDate: CREATED.date,
    apiEndpoint: `https://${id}.execute-api.example`,
  }));
  return { status: 200, body: { items, ...(next !== undefined && { nextToken: next }) } };
}

function paged<Item>(items: readonly Item[], size: string | null, from: string | null) {
  const start = Number(from ?? 0);
  const end = start + Number(size ?? 25);
  return { page: items.slice(start, end), next: end < items.length ? String(end) : undefined };
}

function isSigned({ url, headers }: FakeRequest, account: FakeCloudAccount): boolean {
  const time = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const nowMs = Date.parse(time);
  if (Number.isNaN(nowMs)) return false;
  const signed = { url: new URL(`http://${headers.host}${url}`), region: account.region, service: 'apigateway', nowMs };
  const wanted = signGet(signed, account);
  return (
    headers.authorization === wanted['authorization'] &&
    headers['x-amz-security-token'] === wanted['x-amz-security-token']
  );
}
