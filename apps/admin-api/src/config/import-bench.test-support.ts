import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, CallOptions, TestService } from '../testing/test-service.test-support.ts';

/** A service that bundles are sent to, each test's to a tenant of its own. */
export class ImportBench {
  /** The tenant that everything is sent for; a test may set it back to an earlier one. */
  tenant = '';
  #service: TestService | undefined;
  #tenants = 0;

  get service(): TestService {
    if (this.#service === undefined) throw new TypeError('the service is not started yet');
    return this.#service;
  }

  async start(databaseUrl: string): Promise<void> {
    this.#service = await startTestService(databaseUrl);
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
  }

  readonly freshTenant = async (): Promise<void> => {
    this.tenant = `t${(this.#tenants += 1)}`;
    await this.service.addTenant(this.tenant);
  };

  readonly call = (method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> => {
    const inTenant = `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=${this.tenant}`;
    return this.service.call(method, inTenant, body, options);
  };

  /** Imports records. */
  readonly bring = (records: object, query = '', options?: CallOptions): Promise<Answer> =>
    this.call('POST', `/config/import${query}`, { tenant_id: this.tenant, ...records }, options);

  readonly sync = (records: object, query = ''): Promise<Answer> =>
    this.call('POST', `/config/sync?dry_run=false${query}`, { tenant_id: this.tenant, ...records });

  /** What the records of a list are called. */
  readonly names = async (path: string): Promise<string[]> =>
    (await this.call('GET', path)).body.items.map((one: Answer['body']) => one.name ?? one.username);
}

/** A gateway, and a service in it. */
export const edge = { gateways: [{ name: 'edge', id: 'edge' }] };
export const service1 = { gateway_name: 'edge', name: 'one', url: 'http://one.test' };
