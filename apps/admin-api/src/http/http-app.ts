import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts';
import type { Principal } from '../identity/principal.ts';
import type { Log } from '../logging.ts';
import { checkAccess, unauthenticated } from './access.ts';
import type { AddressList } from './address-list.ts';
import { answer, prefersYaml } from './answer.ts';
import { bodyInput } from './body-input.ts';
import { clientAddress } from './client-address.ts';
import { corsHeaders, type CorsPolicy, preflightAnswer } from './cors.ts';
import { createFailureReport, type FailureReport, type UnavailableCause } from './failure-report.ts';
import { idempotencyKeyOf, takesIdempotencyKey } from './idempotency-key.ts';
import type { Access, Operation, OperationInput, OperationOutput, RequestContext } from './operation.ts';
import { Problem } from './problem.ts';
import { problemAnswer } from './problem-answer.ts';
import { queryInput } from './query-input.ts';
import { type BodyPace, standardBodyPace } from './read-body.ts';
import { type NewId, requestIdOf } from './request-id.ts';
import { type RoutedOperation, type RouteEntry, routeTable } from './route-table.ts';
import { isStorableText } from './text-problems.ts';

/** What a finished request was, for logs and metrics. */
export interface RequestSummary {
  /** The operation's ID; `unknown` for paths and methods that no operation answers. */
  readonly operationId: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** An answer as it is about to leave. */
export interface SentAnswer {
  /** Nothing for paths and methods that no operation answers. */
  readonly operation: Operation | undefined;
  /** All operations that are served. */
  readonly operations: readonly Operation[];
  readonly status: number;
  readonly headers: Headers;
  /** What the body was made of; nothing for streams and texts. */
  readonly body: unknown;
}

/** A request that was not carried out although its caller is known. */
export interface RefusedCall {
  readonly principal: Principal;
  readonly operation: Operation;
  readonly problem: Problem;
  readonly request: RequestContext;
}

/** The parts that the HTTP shell needs. */
export interface HttpAppDependencies {
  readonly operations: readonly Operation[];
  /** Whose bearer token this is; nothing when it is not, or no longer, valid. */
  readonly authenticate: (bearerToken: string, request: RequestContext) => Promise<Principal | undefined>;
  readonly log: Log;
  readonly trustedProxies: AddressList;
  /** No other origin may read answers when not given. */
  readonly cors?: CorsPolicy;
  readonly newId: NewId;
  /** A monotonic clock in milliseconds, for durations. */
  readonly monotonicMs: () => number;
  /** Told of each request of a known caller that ends in a problem. */
  readonly onRefused?: (refused: RefusedCall) => void;
  /** Headers of every answer to a write that was carried out. */
  readonly writeHeaders?: () => Readonly<Record<string, string>>;
  readonly onFinished?: (summary: RequestSummary) => void;
  /** Told of each 503 and its cause. */
  readonly onUnavailable?: (cause: UnavailableCause) => void;
  /** Sees every answer; tests hold them against the API description. */
  readonly onAnswer?: (answer: SentAnswer) => void;
  readonly bodyPace?: BodyPace;
  /** Without it `Idempotency-Key` has no meaning. */
  readonly idempotency?: Idempotency;
}

/** What a server of {@link createHttpApp} gives to each request. */
export interface HttpEnvironment {
  Bindings: HttpBindings;
}

/**
 * The HTTP shell over a set of operations. For each request, in this order: request ID, path (404), preflight, method (405),
 * credential (401), access (403), query (400, 422), body (400, 413, 415, 422), handler. Whatever is thrown leaves as a
 * problem document; nothing else than operations' answers and problem documents ever leaves.
 */
export function createHttpApp(dependencies: HttpAppDependencies): Hono<HttpEnvironment> {
  const app = new Hono<HttpEnvironment>({ strict: false });
  const shell: Shell = { ...dependencies, failures: createFailureReport(dependencies) };
  for (const entry of routeTable(dependencies.operations)) {
    app.all(entry.pattern, (context) => respond(context, entry, shell));
  }
  app.notFound((context) => respond(context, undefined, shell));
  return app;
}

type AppContext = Context<HttpEnvironment>;

interface Shell extends HttpAppDependencies {
  readonly failures: FailureReport;
}

async function respond(context: AppContext, entry: RouteEntry | undefined, dependencies: Shell): Promise<Response> {
  const startedMs = dependencies.monotonicMs();
  const request = requestContext(context, dependencies);
  const url = new URL(context.req.url);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const routed = entry?.byMethod.get(method);
  const asYaml =
    routed !== undefined &&
    answersYaml(routed.operation) &&
    prefersYaml(url.searchParams.get('format'), request.header('accept'));
  const seen: { principal?: Principal } = {};
  const { requestId } = request;
  const headers = corsHeaders(dependencies.cors ?? noCors, request.header('origin'));
  let output: OperationOutput;
  let response: Response;
  try {
    output = await perform(context, { routed, entry, request, url, seen }, dependencies);
    if (request.method === 'HEAD') output = withoutStream(output);
    const further = routed && writing.has(routed.operation.access) ? dependencies.writeHeaders?.() : undefined;
    response = answer(output, { requestId, asYaml, headers: { ...headers, ...further } });
  } catch (thrown) {
    const problem = dependencies.failures.problemOf(thrown, requestId);
    const { principal } = seen;
    if (routed && principal) dependencies.onRefused?.({ principal, operation: routed.operation, problem, request });
    output = problemAnswer(problem, requestId);
    response = answer(output, { requestId, asYaml: false, headers });
  }
  dependencies.onAnswer?.({
    operation: routed?.operation,
    operations: dependencies.operations,
    status: response.status,
    headers: response.headers,
    body: output.body,
  });
  const durationMs = dependencies.monotonicMs() - startedMs;
  finish(
    { operationId: routed?.operation.id ?? 'unknown', method: request.method, status: response.status, durationMs },
    request,
    seen.principal,
    dependencies,
  );
  return response;
}

/** Access of operations that write; reading a record takes less. */
const writing: ReadonlySet<Access> = new Set(['write', 'administer', 'super_admin']);

const noCors: CorsPolicy = { origins: new Set() };

/** Ends an event stream that nobody will read, and leaves documents packed. */
function withoutStream({ packed: _, ...output }: OperationOutput): OperationOutput {
  if (!(output.stream instanceof ReadableStream)) return output;
  void output.stream.cancel().catch(() => undefined);
  return { ...output, stream: '' };
}

/** A request's circumstances; what its key means is known only later. */
interface OpenRequest extends RequestContext {
  idempotency?: IdempotentRequest;
}

interface Call {
  readonly routed: RoutedOperation | undefined;
  readonly entry: RouteEntry | undefined;
  readonly request: OpenRequest;
  readonly url: URL;
  /** Where the principal is left for the log. */
  readonly seen: { principal?: Principal };
}

async function perform(context: AppContext, call: Call, dependencies: HttpAppDependencies): Promise<OperationOutput> {
  const { routed, entry, request, url } = call;
  if (!entry) throw new Problem('not_found', 'No such path');
  if (!routed) {
    const preflight = preflightAnswer(dependencies.cors ?? noCors, request, entry.allow);
    if (preflight) return preflight;
    throw new Problem('method_not_allowed', 'This path does not take this method', { headers: { allow: entry.allow } });
  }
  const { operation } = routed;
  const principal = await principalOf(operation, request, dependencies);
  call.seen.principal = principal;
  checkAccess(principal, operation);
  const path = pathInput(context, routed.parameters);
  const query = queryInput(operation, url.searchParams);
  const isYamlAsked = url.searchParams.get('format') === 'yaml';
  const pace = dependencies.bodyPace ?? standardBodyPace;
  const key = takesIdempotencyKey(operation) ? idempotencyKeyOf(request.header('idempotency-key')) : undefined;
  const wishes = { isYamlAsked, pace, withDigest: key !== undefined, caller: callerOf(principal, request) };
  const body = operation.body && (await bodyInput(context.env.incoming, operation.body, wishes));
  const input: OperationInput = { principal, path, query, body: body?.value, request };
  if (key === undefined || !dependencies.idempotency) return operation.handler(input);
  const asked = {
    principal,
    method: request.method,
    path: request.path,
    query: url.searchParams,
    bodyDigest: body?.digest ?? '',
  };
  return dependencies.idempotency.once(key, asked, (idempotency) => {
    request.idempotency = idempotency;
    return operation.handler(input);
  });
}

async function principalOf(
  operation: Operation,
  request: RequestContext,
  dependencies: HttpAppDependencies,
): Promise<Principal> {
  if (operation.access === 'public') return { kind: 'anonymous' };
  const header = request.header('authorization');
  if (header === undefined) throw unauthenticated(false);
  const token = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(header)?.[1];
  const principal = token === undefined ? undefined : await dependencies.authenticate(token, request);
  if (!principal) throw unauthenticated(true);
  return principal;
}

/** Who shares bounds: everyone of a tenant, a principal without one, and strangers by their address. */
function callerOf(principal: Principal, { sourceIp }: RequestContext): string {
  if (principal.kind === 'anonymous') return `address ${sourceIp}`;
  return principal.tenantId === undefined ? `principal ${principal.id}` : `tenant ${principal.tenantId}`;
}

function pathInput(context: AppContext, parameters: readonly string[]): Readonly<Record<string, string>> {
  const path: Record<string, string> = {};
  parameters.forEach((name, index) => {
    const value = context.req.param(`p${index}`) ?? '';
    // No record has such an ID or name, and no database takes it in a query.
    if (!isStorableText(value) || value.length > pathParameterLengthMax)
      throw new Problem('not_found', 'No such record');
    path[name] = value;
  });
  return path;
}

/** Longest name of a record, twice: nothing longer can name one. */
const pathParameterLengthMax = 512;

function answersYaml(operation: Operation): boolean {
  return operation.responses.some((response) => response.mediaType === 'application/yaml');
}

function requestContext(context: AppContext, dependencies: HttpAppDependencies): OpenRequest {
  const { incoming } = context.env;
  const header = (name: string): string | undefined => {
    const value = incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    requestId: requestIdOf(header('x-request-id'), dependencies.newId),
    sourceIp: clientAddress(incoming.socket.remoteAddress, header('x-forwarded-for'), dependencies.trustedProxies),
    method: incoming.method ?? 'GET',
    path: (incoming.url ?? '/').split('?', 1)[0] ?? '/',
    header,
    get signal() {
      return context.req.raw.signal;
    },
  };
}

function finish(
  summary: RequestSummary,
  request: RequestContext,
  principal: Principal | undefined,
  dependencies: HttpAppDependencies,
): void {
  dependencies.log.info(
    {
      request_id: request.requestId,
      operation: summary.operationId,
      method: summary.method,
      path: request.path.slice(0, 512),
      status: summary.status,
      duration_ms: Math.round(summary.durationMs * 100) / 100,
      source_ip: request.sourceIp,
      ...whoCalled(principal),
    },
    'request',
  );
  dependencies.onFinished?.(summary);
}

/** Who called, as the log names them; one who impersonates by the own ID and the impersonation's, as audit records do. */
function whoCalled(principal: Principal | undefined): Readonly<Record<string, unknown>> {
  if (!principal || principal.kind === 'anonymous') return {};
  const impersonation = principal.kind === 'user' ? principal.impersonation : undefined;
  return {
    principal: principal.kind,
    principal_id: principal.id,
    ...(impersonation && { impersonation_id: impersonation.id }),
  };
}
