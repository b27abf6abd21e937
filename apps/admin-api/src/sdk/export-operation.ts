import { familyNamed } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { refuse } from '../http/body-input.ts';
import type { Operation, OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import type { FamilyHandlerParts } from '../resources/family-handlers.ts';
import { recordPaths } from '../resources/family-paths.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { readPacked } from './api-descriptions.ts';
import type { DescriptionThreads } from './description-threads.ts';
import { type SdkRequestBody, sdkRequestSchema, sdkResultSchema } from './sdk-schemas.ts';
import { placeOf } from './version-behaviour.ts';

const versions = familyNamed('service-versions');
const services = familyNamed('services');
const gateways = familyNamed('gateways');

/** What the operation works with. */
export interface SdkExportParts extends Pick<FamilyHandlerParts, 'reader' | 'database' | 'tenantOf'> {
  readonly threads: Pick<DescriptionThreads, 'run'>;
}

/** `POST …/versions/{version_id}/sdk`: a client library of the description. Source: wire contract, AI records, integrations, SDKs. */
export function exportSdkOperation(parts: SdkExportParts): Operation {
  return {
    id: 'exportServiceVersionSdk',
    method: 'POST',
    paths: recordPaths(versions, '/sdk'),
    tag: versions.name,
    summary: 'A client library for the description, as an archive; changes nothing',
    access: versions.access.read,
    query: [tenantIdParameter],
    body: { schema: sdkRequestSchema },
    responses: [
      { status: 200, description: 'The archive', schema: sdkResultSchema },
      { status: 429, description: 'The tenant has too many exports waiting' },
    ],
    async handler(input) {
      const { target, package_name: packageName } = input.body as SdkRequestBody;
      const { tenantId, version, proxyUrl } = await findVersion(parts, parts.database.read, input);
      const taskOf = async () => {
        const packed = await readPacked(parts.database.read, placeOf(version));
        // Deleted or changed for long by now.
        if (packed === undefined) throw new Problem('not_found', 'service version not found');
        return { kind: 'generate', packed, target, packageName, proxyUrl } as const;
      };
      const made = await parts.threads.run(tenantId, 'generate', taskOf, input.request.signal);
      if (!made.ok) refuse(made.problems);
      return { status: 200, body: made.ok ? made.archive : undefined };
    },
  };
}

/** The version that the path names. @throws Problem `not_found` */
async function findVersion({ reader, tenantOf }: SdkExportParts, executor: Executor, input: OperationInput) {
  const { principal, path } = input;
  const { tenant_id: named } = input.body as SdkRequestBody;
  const tenantId = await tenantOf(versions, input, { body: { tenant_id: named } });
  const find = (family: typeof versions, place: Parameters<typeof reader.find>[3], idOrName: string | undefined) =>
    reader.find(executor, principal, family, place, idOrName ?? '');
  const gateway = await find(gateways, { tenantId, gatewayId: null }, path['gateway_id']);
  const place = { tenantId, gatewayId: gateway.id };
  const service = await find(services, place, path['service_id']);
  const version = await find(versions, { ...place, parentId: service.id }, path['version_id']);
  return { tenantId, version, proxyUrl: proxyUrlOf(gateway) };
}

/** Where clients reach the gateway, if that is somewhere on the web. */
function proxyUrlOf({ body }: StoredRecord): string | undefined {
  const { proxy_url: url } = body;
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined;
}
