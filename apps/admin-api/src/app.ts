import type { Hono } from 'hono';
import { capabilityOperations, type CapabilityParts } from './capabilities.ts';
import type { Config } from './config.ts';
import { createHttpApp, type HttpEnvironment, type SentAnswer } from './http/http-app.ts';
import type { Operation } from './http/operation.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import { createIdentity, type Identity } from './identity/create-identity.ts';
import { type DocumentationAssets, documentationOperations } from './operations/documentation-operations.ts';
import { healthOperations, type ReadinessCheck } from './operations/health-operations.ts';
import { metricsOperation, type ServiceMetrics } from './operations/service-metrics.ts';
import type { RefusedActs } from './audits/records/refused-acts.ts';
import { refusedRequestEntry } from './audits/records/refused-request.ts';

/** Everything the application is made of. Only `main.ts` and tests build these. */
export interface AppDependencies extends Omit<CapabilityParts, 'scope' | 'authenticate'> {
  readonly config: Pick<Config, 'trustedProxies' | 'metricsAllow'> & Partial<Pick<Config, 'corsOrigins'>>;
  readonly assets: DocumentationAssets;
  readonly metrics: ServiceMetrics;
  /** Takes down what known callers were refused. */
  readonly refusals: RefusedActs;
  /** What must be ready beside the database and the signing keys. */
  readonly checks?: readonly ReadinessCheck[];
  /** See `HttpAppDependencies`. */
  readonly writeHeaders?: () => Readonly<Record<string, string>>;
  /** See `HttpAppDependencies`. */
  readonly onAnswer?: (answer: SentAnswer) => void;
}

/** The application, ready to be served. */
export interface App {
  readonly http: Hono<HttpEnvironment>;
  readonly identity: Identity;
  readonly operations: readonly Operation[];
}

/** Builds the application: each capability gives its operations, the HTTP shell serves them all. */
export function createApp(dependencies: AppDependencies): App {
  const { release, database, shutdown, config, metrics, refusals } = dependencies;
  const identity = createIdentity(dependencies);
  const authenticate = (bearerToken: string) => identity.authenticator.authenticate(bearerToken);
  const checks = [
    { name: 'database', isReady: () => database.isReady() },
    { name: 'signing_keys', isReady: async () => (await identity.keys.signer()).kid !== '' },
    ...(dependencies.checks ?? []),
  ];
  const operations: Operation[] = [
    ...identity.operations,
    ...healthOperations({ release, checks, shutdown, log: dependencies.log }),
    ...documentationOperations({ described: () => operations, release, assets: dependencies.assets }),
    metricsOperation(metrics, config.metricsAllow),
    ...capabilityOperations({ ...dependencies, scope: identity.tenantScope, authenticate }),
  ];
  const http = createHttpApp({
    operations,
    authenticate,
    log: dependencies.log,
    trustedProxies: config.trustedProxies,
    ...(config.corsOrigins && { cors: { origins: config.corsOrigins } }),
    newId: dependencies.newId,
    monotonicMs: dependencies.monotonicMs,
    idempotency: createIdempotency(dependencies),
    onRefused(refused) {
      const entry = refusedRequestEntry(refused);
      if (entry) refusals.note(entry);
    },
    ...(dependencies.writeHeaders && { writeHeaders: dependencies.writeHeaders }),
    onFinished: (summary) => metrics.observe(summary),
    onUnavailable: (cause) => metrics.countUnavailable(cause),
    ...(dependencies.onAnswer && { onAnswer: dependencies.onAnswer }),
  });
  return { http, identity, operations };
}
