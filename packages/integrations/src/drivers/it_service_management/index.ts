import { field, list } from '../../answer-fields.ts';
import { below, withoutSlash } from '../../calls/base-url.ts';
import { tokenOrBasic } from '../../calls/credentials.ts';
import { defineDriver } from '../../define-driver.ts';
import type { Driver } from '../../driver.ts';
import { unexpectedForm } from '../../unexpected-form.ts';
import {
  configSchema,
  type ItServiceManagementConfig,
  type ItServiceManagementSecrets,
  secretsSchema,
} from './config.ts';

/** What one look records. The incident's description is asked for, and not kept. Source: spec, Outbound integration sync calls. */
export interface ItServiceManagementMetadata {
  readonly slug: string;
  readonly provider: string;
  readonly http_status: number;
  readonly instance_url: string;
  /** 1, or 0 where there is no incident: the rest is `null` then. */
  readonly sample_size: number;
  readonly sample_incident_number: string | null;
  readonly sample_incident_sys_id: string | null;
  /** As the table has it: `2`. */
  readonly sample_incident_state: string | null;
}

const IDENTITY = { slug: 'it_service_management', provider: 'servicenow' } as const;
const SAMPLE_SIZE = 1;
const FIELDS = ['number', 'sys_id', 'state', 'short_description', 'sys_updated_on'];
const QUERY = `sysparm_limit=${SAMPLE_SIZE}&sysparm_fields=${FIELDS.join(',')}`;

/** One incident of an IT service management system. Source: ServiceNow's Table API, `GET /api/now/table/{tableName}`. */
export const itServiceManagement: Driver<
  ItServiceManagementConfig,
  ItServiceManagementSecrets,
  ItServiceManagementMetadata
> = defineDriver({
  name: 'it_service_management',
  title: 'IT service management',
  description: 'Reads one incident of a ServiceNow instance, to see that it can',
  setup: 'by_request',
  configSchema,
  secretsSchema,
  limits: { timeoutMs: 10_000, responseBytesMax: 1024 * 1024 },
  known: ({ config }) => ({ ...IDENTITY, instance_url: withoutSlash(config.instance_url) }),
  async read({ config, secrets, ask, text }) {
    const { authorization } = tokenOrBasic({ ...secrets, token: secrets.access_token });
    const url = below(config.instance_url, `/api/now/table/incident?${QUERY}`);
    const { status, value } = await ask({ request: 'incidents', url, headers: { authorization } });
    const incidents = list(field(value, 'result'), SAMPLE_SIZE);
    if (incidents === undefined) throw unexpectedForm('incidents', status, 'result');
    const [incident] = incidents;
    return {
      ...IDENTITY,
      http_status: status,
      instance_url: withoutSlash(config.instance_url),
      sample_size: incidents.length,
      sample_incident_number: text(field(incident, 'number')),
      sample_incident_sys_id: text(field(incident, 'sys_id')),
      sample_incident_state: text(field(incident, 'state')),
    };
  },
});
