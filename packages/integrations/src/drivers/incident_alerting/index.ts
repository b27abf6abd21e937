import { field, isObject } from '../../answer-fields.ts';
import { below } from '../../calls/base-url.ts';
import { defineDriver } from '../../define-driver.ts';
import type { Driver } from '../../driver.ts';
import { unexpectedForm } from '../../unexpected-form.ts';
import {
  configSchema,
  HOSTS,
  type IncidentAlertingConfig,
  type IncidentAlertingSecrets,
  secretsSchema,
} from './config.ts';

/** What one look records. Source: spec, Outbound integration sync calls. */
export interface IncidentAlertingMetadata {
  readonly slug: string;
  readonly provider: string;
  readonly http_status: number;
  readonly account_name: string | null;
  /** `null` where the API does not give it. */
  readonly account_id: string | null;
  readonly plan_name: string | null;
}

const IDENTITY = { slug: 'incident_alerting', provider: 'opsgenie' } as const;

/** The account of an incident alerting system. Source: Opsgenie's Account API, `GET /v2/account`. */
export const incidentAlerting: Driver<IncidentAlertingConfig, IncidentAlertingSecrets, IncidentAlertingMetadata> =
  defineDriver({
    name: 'incident_alerting',
    title: 'Incident alerting',
    description: 'Reads the name and the plan of an Opsgenie account',
    setup: 'by_request',
    configSchema,
    secretsSchema,
    limits: { timeoutMs: 10_000, responseBytesMax: 1024 * 1024 },
    known: () => IDENTITY,
    async read({ config: { region = 'us', api_url = HOSTS[region] }, secrets, ask, text }) {
      const headers = { authorization: `GenieKey ${secrets.api_key}` };
      const { status, value } = await ask({ request: 'account', url: below(api_url, '/v2/account'), headers });
      const account = field(value, 'data');
      if (!isObject(account)) throw unexpectedForm('account', status, 'data');
      return {
        ...IDENTITY,
        http_status: status,
        account_name: text(field(account, 'name')),
        account_id: text(field(account, 'id')),
        plan_name: text(field(field(account, 'plan'), 'name')),
      };
    },
  });
