import type { HostTable } from '@portcullis/router';
import { CertificateIndex } from '../certificates/certificate-index.ts';
import { AiRecordList } from './ai-record-list.ts';
import { checkChanges, type CheckedChange, type Placed } from './checked-changes.ts';
import { compiledRoute, hostTable } from './compiled-route.ts';
import type { BuildOutcome, BuildPorts, GenerationName } from './build-outcome.ts';
import { CompiledRoutes } from './compiled-routes.ts';
import { ErrorList, type ConfigurationError } from './configuration-errors.ts';
import { ConsumerIndex } from './consumer-index.ts';
import { createGeneration, type CompiledRoute, type Generation } from './generation.ts';
import type { Lifetimes } from './lifetimes.ts';
import { CredentialSecrets } from '../secret-references/credential-secrets.ts';
import { hasSamePlace, type PluginChains } from './plugin-chains.ts';
import { RouteChains } from './route-chains.ts';
import type { RecordKey } from './received-configuration.ts';
import type { CredentialRecord, GatewayRecord, PluginRecord, VaultRecord } from './records.ts';
import { familyOf, idOf, type RecordChanges } from './record-set.ts';
import { RouteIndex, type PlannedRoute } from './route-index.ts';
import { ServiceIndex, type ServiceEntry } from './service-index.ts';
import type { TimeSlices } from './time-slices.ts';

/**
 * Builds one generation after another, each out of the one before: what a change does not touch keeps its compiled objects, so that
 * a change of one route among 100,000 costs what one route costs. All work is done in slices of time. Generations are immutable;
 * the indexes here are nobody else's. After a build that failed they are half changed: call {@link abandon} and begin anew.
 */
export class GenerationBuilder {
  readonly #ports: BuildPorts;
  readonly #lifetimes: Lifetimes;
  readonly #services: ServiceIndex;
  readonly #routes: RouteIndex;
  readonly #consumers = new ConsumerIndex();
  readonly #plugins = new Map<string, Placed<PluginRecord>>();
  readonly #vaults = new Map<string, VaultRecord>();
  readonly #aiRecords: AiRecordList;
  readonly #certificates: CertificateIndex;
  readonly #mistakes = new Map<RecordKey, readonly ConfigurationError[]>();
  /** Routes whose service is not there. */
  readonly #strays = new Set<string>();
  readonly #missing = new Map<string, readonly ConfigurationError[]>();
  readonly #credentials: CredentialSecrets;
  readonly #compiled = new CompiledRoutes();
  readonly #chains: RouteChains;
  #gateway: GatewayRecord | undefined;
  #hosts: HostTable<true> | undefined;
  #mustSetUp = true;

  /** @param earlier what a builder before this one made: instances go on, and what did not change stays the same object */
  constructor(ports: BuildPorts, lifetimes: Lifetimes, earlier: Pick<Generation, 'runtime' | 'aiRecords'> | undefined) {
    this.#ports = ports;
    this.#lifetimes = lifetimes;
    this.#routes = new RouteIndex(ports.plugins.plugins);
    this.#chains = new RouteChains(lifetimes, earlier?.runtime);
    this.#aiRecords = new AiRecordList(earlier?.aiRecords);
    this.#certificates = new CertificateIndex(ports.onUnusableCertificate, ports.secrets?.knownOf);
    this.#credentials = new CredentialSecrets(ports.secrets?.knownOf);
    ports.secrets?.begin();
    this.#services = new ServiceIndex(ports.balancing, this.#certificates);
  }

  /** Builds the generation that differs by `changes` from the one before. */
  async build(name: GenerationName, changes: RecordChanges, slices: TimeSlices): Promise<BuildOutcome> {
    const checked = await checkChanges(changes, slices);
    if (checked.errors.errors.length > 0) return refusal(checked.errors);
    const errors = new ErrorList();
    for (const change of checked.changes) {
      const key: RecordKey = `${change.family}/${change.id}`;
      this.#mistakes.delete(key);
      const mistakes = checked.leftOut.get(key);
      if (mistakes !== undefined) this.#mistakes.set(key, mistakes);
      this.#put(change);
      if (slices.isOver) await slices.next();
    }
    await this.#learnSecrets(name.tenantId);
    const gateway = this.#gateway;
    if (gateway === undefined) errors.add('/resources/gateway', 'is not there');
    const replanned = await this.#services.replan(name.number, errors, slices);
    for (const entry of replanned.retired) this.#retireService(entry, name.number - 1);
    for (const id of replanned.changed) {
      const mistakes = replanned.mistakes.get(id);
      if (mistakes === undefined) this.#mistakes.delete(`services/${id}`);
      else this.#mistakes.set(`services/${id}`, mistakes);
      this.#routes.touchService(id);
    }
    if (gateway === undefined || errors.errors.length > 0) return this.#refusal(errors);
    const isCompiled = await this.#compileRoutes(name, gateway, errors, slices);
    const hasOnlyMistakes = this.#routes.size === this.#strays.size && this.#hasRouteMistakes();
    const chains = this.#chains.current;
    if (!isCompiled || chains === undefined || errors.errors.length > 0 || hasOnlyMistakes) {
      return this.#refusal(errors);
    }
    const tables = await this.#compiled.tables(slices);
    const consumers = await this.#consumers.build(slices);
    await this.#certificates.build(slices);
    const generation = this.#generation(name, gateway, { ...tables, consumers, chains });
    return { ok: true, generation, leftOut: this.#leftOut() };
  }

  /** Lets everything go that was built; what serves now stays until its last request is over. */
  abandon(lastGeneration: number): void {
    for (const entry of this.#services.entries()) this.#retireService(entry, lastGeneration);
    this.#chains.abandon(lastGeneration);
  }

  #put(change: CheckedChange): void {
    const { id } = change;
    this.#ports.secrets?.put(change);
    if (change.family === 'routes') {
      const mistakes = this.#routes.put(change);
      if (mistakes.length > 0) this.#mistakes.set(`routes/${id}`, mistakes);
    } else if (change.family === 'consumers') {
      const isOurs = (change.checked?.value.gateway_id ?? this.#gateway?.id) === this.#gateway?.id;
      this.#consumers.put(id, isOurs ? change.checked?.value : undefined);
    } else if (change.family === 'consumer_credentials') this.#putCredential(id, change.checked);
    else if (change.family === 'plugins') {
      this.#mustSetUp = true;
      if (change.checked === undefined) this.#plugins.delete(id);
      else this.#plugins.set(id, change.checked);
    } else if (change.family === 'vaults') {
      if (change.checked === undefined) this.#vaults.delete(id);
      else this.#vaults.set(id, change.checked.value);
    } else if (change.family === 'ai_records') this.#aiRecords.put(id, change.checked?.value);
    else if (change.family === 'gateway') {
      const next = change.checked?.value;
      if (!hasSamePlace(this.#gateway, next)) this.#mustSetUp = true;
      this.#gateway = next;
      this.#hosts = hostTable(change.checked?.value.hosts ?? []);
    } else if (this.#certificates.put(change)) this.#services.touchCertificate(id);
    else this.#services.put(change);
  }

  /** Reads the secrets that are referred to; what has others than before is made anew. */
  async #learnSecrets(tenantId: string): Promise<void> {
    for (const key of (await this.#ports.secrets?.learn(tenantId, [...this.#vaults.values()])) ?? []) {
      const family = familyOf(key);
      if (family === 'plugins') this.#mustSetUp = true;
      else if (family === 'routes') this.#routes.touch(idOf(key));
      else if (family === 'certificates') {
        this.#certificates.reread(idOf(key));
        this.#services.touchCertificate(idOf(key));
      } else this.#putCredential(idOf(key), this.#credentials.recordOf(idOf(key)));
    }
  }

  /** A credential whose secret cannot be read is left out: whoever presents it is a stranger. */
  #putCredential(id: string, record: Placed<CredentialRecord> | undefined): void {
    const { credential, mistake } = this.#credentials.put(id, record);
    this.#consumers.putCredential(id, credential);
    if (mistake === undefined) this.#missing.delete(`consumer_credentials/${id}`);
    else this.#missing.set(`consumer_credentials/${id}`, [mistake]);
  }

  /** @returns whether it could; `errors` says why not */
  async #compileRoutes(
    name: GenerationName,
    gateway: GatewayRecord,
    errors: ErrorList,
    slices: TimeSlices,
  ): Promise<boolean> {
    const stale = this.#routes.takeStale();
    let ids: Iterable<string> = stale;
    if (this.#mustSetUp || !(await this.#knowsAll(stale, slices))) {
      if (!(await this.#setUpChains(name, gateway, errors, slices))) return false;
      ids = this.#routes.idsAnd(stale);
    }
    for (const id of ids) {
      if (slices.isOver) await slices.next();
      const route = this.#routes.get(id);
      if (!stale.has(id) && route !== undefined && this.#keepsChain(route)) continue;
      const compiled = route && this.#compile(name.number, route, errors);
      if (compiled === undefined) this.#chains.drop(name.number, id);
      if (route !== undefined && compiled !== undefined) {
        this.#compiled.put(id, compiled, this.#routes.isReachable(route));
        continue;
      }
      this.#compiled.remove(id);
      if (route === undefined) this.#forget(id);
    }
    return true;
  }

  /** Whether a route that did not change stays as it was compiled, though the plugins of all were set up anew. */
  #keepsChain(route: PlannedRoute): boolean {
    const before = this.#compiled.get(route.value.id);
    return before !== undefined && this.#chains.keeps(route, before.service?.record, before.chain);
  }

  /** Whether there are chains that can have the plugins of these routes. */
  async #knowsAll(routeIds: Iterable<string>, slices: TimeSlices): Promise<boolean> {
    for (const id of routeIds) {
      const route = this.#routes.get(id);
      if (route !== undefined && this.#chains.current?.knows(route.value) !== true) return false;
      if (slices.isOver) await slices.next();
    }
    return true;
  }

  async #setUpChains(
    { number, tenantId }: GenerationName,
    gateway: GatewayRecord,
    errors: ErrorList,
    slices: TimeSlices,
  ): Promise<boolean> {
    const { plugins: host, secrets } = this.#ports;
    const sources = { host, tenantId, gateway, plugins: [...this.#plugins.values()], knownOf: secrets?.knownOf };
    const found = await this.#chains.setUp(number, sources, this.#routes.inlineNames(), slices);
    if (found !== undefined) errors.addAll(found);
    else this.#mustSetUp = false;
    return found === undefined;
  }

  /** @returns `undefined` for a route that is left out: of a disabled service, out of reach, or with a mistake */
  #compile(generation: number, route: PlannedRoute, errors: ErrorList): CompiledRoute | undefined {
    const { value, pointer } = route;
    const serviceId = value.service_id ?? undefined;
    this.#mistakes.delete(`routes/${value.id}`);
    this.#strays.delete(value.id);
    if (serviceId !== undefined && !this.#services.has(serviceId)) {
      this.#strays.add(value.id);
      const message = 'names no service of this configuration';
      this.#mistakes.set(`routes/${value.id}`, [{ pointer: `${pointer}/service_id`, message }]);
      return undefined;
    }
    const entry = serviceId === undefined ? undefined : this.#services.entryOf(serviceId);
    const isReachable = route.stream !== undefined || this.#routes.isReachable(route);
    if (!isReachable || (serviceId !== undefined && entry === undefined)) return undefined;
    const missing = new ErrorList();
    const chain = this.#chains.chainOf(generation, route, entry?.service.record, { errors, missing });
    if (missing.errors.length > 0) this.#missing.set(value.id, missing.errors);
    else this.#missing.delete(value.id);
    const series = this.#ports.metrics.of(value.id, entry?.plan.record.id ?? '');
    return compiledRoute(route, entry, chain, series);
  }

  #generation(
    name: GenerationName,
    gateway: GatewayRecord,
    parts: Pick<Generation, 'router' | 'streams' | 'consumers'> & { readonly chains: PluginChains },
  ): Generation {
    return createGeneration({
      revision: name.revision,
      hash: name.hash,
      tenantId: name.tenantId,
      gateway: Object.freeze({ id: gateway.id, name: gateway.name }),
      workspaceId: gateway.workspace_id ?? gateway.workspace?.id,
      vaults: [...this.#vaults.values()],
      aiRecords: this.#aiRecords.all,
      hosts: this.#hosts,
      latencyThresholdsUs: gateway.latency_thresholds_us,
      allowsEncodedSlashes: gateway.allow_encoded_slashes,
      router: parts.router,
      streams: parts.streams,
      serverIdentities: this.#certificates.identities(),
      certificateExpiries: this.#certificates.expiries(),
      consumers: parts.consumers,
      fallbackChain: parts.chains.fallback,
      runtime: parts.chains.runtime,
      dispose: () => this.#lifetimes.end(name.number),
    });
  }

  #forget(routeId: string): void {
    this.#missing.delete(routeId);
    this.#strays.delete(routeId);
  }

  #hasRouteMistakes(): boolean {
    for (const key of this.#mistakes.keys()) if (key.startsWith('routes/')) return true;
    return false;
  }

  /** All mistakes at once, those that refuse the configuration first. */
  #refusal(errors: ErrorList): BuildOutcome {
    for (const mistakes of this.#mistakes.values()) errors.addEach(mistakes);
    return refusal(errors);
  }

  #leftOut(): readonly ConfigurationError[] {
    const all = new ErrorList();
    for (const mistakes of this.#mistakes.values()) all.addEach(mistakes);
    for (const mistakes of this.#certificates.mistakes()) all.addEach(mistakes);
    if (this.#chains.current !== undefined) all.addAll(this.#chains.current.missing);
    for (const missing of this.#missing.values()) all.addEach(missing);
    return all.errors;
  }

  #retireService({ born, balancer }: ServiceEntry, died: number): void {
    const { balancing } = this.#ports;
    this.#lifetimes.retire({
      born,
      died,
      leave: () => balancing.retire(balancer),
      free: () => balancing.release(balancer),
    });
  }
}

function refusal({ errors }: ErrorList): BuildOutcome {
  return { ok: false, errors };
}
