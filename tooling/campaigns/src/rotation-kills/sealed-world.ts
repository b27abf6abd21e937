import { randomBytes } from 'node:crypto';
import { startControlPlane } from '../control-plane/control-plane.ts';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { clientOf } from '../control-plane/client.ts';
import type { DatabaseKind } from '../options.ts';
import { databasePlace } from '../places/database-place.ts';
import type { DatabasePlace } from '../places/database-place.ts';

const admin = '/api/v1/admin';
const tenant = 'acme';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** A control plane with secrets of a tenant, which a gateway is given in the clear. */
export class SealedWorld implements AsyncDisposable {
  readonly place: DatabasePlace;
  readonly plane: ControlPlane;
  readonly #keys: { readonly old: string; readonly new: string };
  /** Every secret that a write was answered for. */
  readonly #secrets = new Set<string>();
  #nodeToken = '';

  static async make(adminApi: string, kind: DatabaseKind): Promise<SealedWorld> {
    const keys = { old: key('k1'), new: key('k2') };
    const place = await databasePlace(kind);
    const plane = await startControlPlane(adminApi, place.url, { PORTCULLIS_SECRET_KEYS: keys.old });
    const world = new SealedWorld(place, plane, keys);
    await world.#begin();
    return world;
  }

  private constructor(place: DatabasePlace, plane: ControlPlane, keys: { old: string; new: string }) {
    this.place = place;
    this.plane = plane;
    this.#keys = keys;
  }

  async #begin(): Promise<void> {
    await this.plane.addTenant(tenant);
    await this.#made('/gateways', { id: 'edge', name: 'edge' });
    await this.#made('/gateways/edge/services', { id: 's', name: 's', url: 'http://service.test' });
    await this.#made('/gateways/edge/routes', { id: 'r', name: 'r', service_id: 's', path: '/' });
    this.#nodeToken = (await this.#made('/data-planes', { gateway_id: 'edge', name: 'node' })).token;
    await this.writeSecret();
    // From here on both keys are known, and the new one seals.
    await this.plane.kill();
    await this.place.settle();
    await this.plane.start({ PORTCULLIS_SECRET_KEYS: `${this.#keys.new},${this.#keys.old}` });
  }

  /** Makes a record with a secret. */
  async writeSecret(): Promise<void> {
    const secret = randomBytes(18).toString('hex');
    const config = { introspection_url: 'https://id.test', client_id: 'c', client_secret: secret };
    await this.#made('/plugins', { name: 'oauth2', scope: 'route', route_id: 'r', config });
    this.#secrets.add(secret);
  }

  /** Begins to seal everything again under the new key. */
  rotate() {
    return this.plane.begin('rotate-secrets', { PORTCULLIS_SECRET_KEYS: `${this.#keys.new},${this.#keys.old}` });
  }

  /** Starts the service again with the new key alone. */
  async dropOldKey(): Promise<void> {
    await this.plane.kill();
    await this.place.settle();
    await this.plane.start({ PORTCULLIS_SECRET_KEYS: this.#keys.new });
  }

  /** @returns how many secrets a gateway gets @throws Error where one is not among them */
  async checkSecrets(): Promise<number> {
    const { text } = await clientOf(this.plane.client().url, this.#nodeToken).call('GET', '/api/v1/data-plane/config');
    const missing = [...this.#secrets].filter((secret) => !text.includes(secret)).length;
    if (missing > 0)
      throw new Error(`${missing} of ${this.#secrets.size} secrets cannot be opened: ${text.slice(0, 500)}`);
    return this.#secrets.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.plane[Symbol.asyncDispose]();
    await this.place[Symbol.asyncDispose]();
  }

  // oxlint-disable-next-line no-explicit-any -- answers have every shape
  async #made(path: string, body: object): Promise<any> {
    return this.plane.client().expect('POST', `${admin}${path}?tenant_id=${tenant}`, 201, body);
  }
}
