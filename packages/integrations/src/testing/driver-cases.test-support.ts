import type { AnyDriver } from '../driver.ts';
import { drivers } from '../drivers.ts';
import { fakeAlerting } from './fake-alerting.ts';
import { fakeCloud } from './fake-cloud.ts';
import { fakeLogAnalytics } from './fake-log-analytics.ts';
import { fakeRegistry } from './fake-registry.ts';
import { fakeServiceManagement } from './fake-service-management.ts';
import type { FakeBehaviour } from './fake-system.ts';

/** One driver with a system that it gets on with. */
export interface DriverCase {
  readonly name: string;
  readonly driver: AnyDriver;
  readonly behaviour: FakeBehaviour;
  readonly config: (url: string) => Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** What is known of a failure before anything is called. */
  readonly known: (url: string) => Readonly<Record<string, unknown>>;
  /** Which request is the first. */
  readonly first: string;
}

const cloud = {
  region: 'eu-central-1',
  accessKeyId: 'AKIDCANARYEXAMPLE',
  secretAccessKey: 'canary-of-the-cloud-secret-key',
  sessionToken: 'canary-of-the-session-token',
};
const password = 'canary of the pässword';
const username = 'canary-of-the-user';

/** All drivers. */
export const driverCases: readonly DriverCase[] = [
  {
    name: 'cloud_api_gateway',
    driver: drivers.cloud_api_gateway,
    behaviour: fakeCloud({ ...cloud, restApis: [{ id: 'r1', name: 'rest', stages: ['prod'] }] }),
    config: (url) => ({ region: cloud.region, endpoint_url: url }),
    secrets: {
      access_key_id: cloud.accessKeyId,
      secret_access_key: cloud.secretAccessKey,
      session_token: cloud.sessionToken,
    },
    known: () => ({ region: cloud.region }),
    first: 'rest_apis',
  },
  {
    name: 'api_registry',
    driver: drivers.api_registry,
    behaviour: fakeRegistry({ apiKey: 'canary-of-the-registry' }),
    config: (url) => ({ base_url: url, owner: 'acme' }),
    secrets: { api_key: 'canary-of-the-registry' },
    known: () => ({ owner: 'acme' }),
    first: 'apis',
  },
  {
    name: 'it_service_management',
    driver: drivers.it_service_management,
    behaviour: fakeServiceManagement({ username, password }),
    config: (url) => ({ instance_url: url }),
    secrets: { username, password },
    known: (url) => ({ slug: 'it_service_management', provider: 'servicenow', instance_url: url }),
    first: 'incidents',
  },
  {
    name: 'log_analytics',
    driver: drivers.log_analytics,
    behaviour: fakeLogAnalytics({ token: 'canary-of-the-log-token' }),
    config: (url) => ({ base_url: url }),
    secrets: { token: 'canary-of-the-log-token', username, password },
    known: (url) => ({ provider: 'splunk', base_url: url, auth_mode: 'token' }),
    first: 'server_info',
  },
  {
    name: 'incident_alerting',
    driver: drivers.incident_alerting,
    behaviour: fakeAlerting({ apiKey: 'canary-of-the-alerts' }),
    config: (url) => ({ api_url: url }),
    secrets: { api_key: 'canary-of-the-alerts' },
    known: () => ({ slug: 'incident_alerting', provider: 'opsgenie' }),
    first: 'account',
  },
];
