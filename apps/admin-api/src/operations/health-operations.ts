import * as v from 'valibot';
import type { Operation } from '../http/operation.ts';
import type { Log } from '../logging.ts';

/** A part of the service without which it cannot answer for long. */
export interface ReadinessCheck {
  readonly name: string;
  readonly isReady: () => Promise<boolean>;
}

/** What the operations of health and version need. */
export interface HealthOperationsParts {
  /** Version of the release; control plane, gateway and command line have the same. Source: decisions, 2. */
  readonly release: string;
  readonly checks: readonly ReadinessCheck[];
  /** Fires when the service begins to stop: it is not ready from then on. */
  readonly shutdown: AbortSignal;
  /** Told why a check fails, once until it is well again. */
  readonly log: Log;
}

/** A check that takes longer has failed. */
const checkTimeoutMs = 2_000;

const common = { tag: 'Operations', access: 'public' } as const;

const healthBody = v.pipe(v.object({ status: v.literal('ok'), release: v.string() }), v.title('Health'));
const readinessBody = v.pipe(
  v.object({ status: v.picklist(['ready', 'not_ready']), checks: v.record(v.string(), v.picklist(['ok', 'failed'])) }),
  v.title('Readiness'),
);
const versionsBody = v.pipe(
  v.object({
    current: v.string(),
    versions: v.array(v.object({ version: v.string(), status: v.string(), prefix: v.string() })),
    release: v.string(),
  }),
  v.title('API versions'),
);

/** Health, readiness and versions. Source: spec, Operational endpoints. */
export function healthOperations(parts: HealthOperationsParts): Operation[] {
  return [healthOperation(parts), readyOperation(parts), versionsOperation(parts)];
}

function healthOperation({ release }: HealthOperationsParts): Operation {
  return {
    ...common,
    id: 'getHealth',
    method: 'GET',
    paths: ['/health'],
    summary: 'Whether the process answers',
    responses: [{ status: 200, description: 'It does', schema: healthBody }],
    handler: async () => ({ status: 200, body: { status: 'ok', release } }),
  };
}

function readyOperation(parts: HealthOperationsParts): Operation {
  const failing = new Set<string>();
  const outcome = async (check: ReadinessCheck): Promise<'ok' | 'failed'> => {
    const failure = await failureOf(check);
    if (failure === undefined) failing.delete(check.name);
    else if (!failing.has(check.name)) {
      failing.add(check.name);
      parts.log.warn({ check: check.name, reason: failure }, 'not ready');
    }
    return failure === undefined ? 'ok' : 'failed';
  };
  return {
    ...common,
    id: 'getReadiness',
    method: 'GET',
    paths: ['/ready'],
    summary: 'Whether requests can be served; names the part that cannot',
    responses: [
      { status: 200, description: 'Ready', schema: readinessBody },
      { status: 503, description: 'Not ready', schema: readinessBody },
    ],
    async handler() {
      const results = await Promise.all(parts.checks.map(async (check) => [check.name, await outcome(check)] as const));
      const all = [...results, ['running', parts.shutdown.aborted ? 'failed' : 'ok'] as const];
      const isReady = all.every(([, result]) => result === 'ok');
      const body = { status: isReady ? 'ready' : 'not_ready', checks: Object.fromEntries(all) };
      return { status: isReady ? 200 : 503, body };
    },
  };
}

function versionsOperation({ release }: HealthOperationsParts): Operation {
  return {
    ...common,
    id: 'listApiVersions',
    method: 'GET',
    paths: ['/api/versions'],
    summary: 'Versions of this API',
    responses: [{ status: 200, description: 'The versions', schema: versionsBody }],
    handler: async () => ({
      status: 200,
      body: { current: 'v1', versions: [{ version: 'v1', status: 'current', prefix: '/api/v1' }], release },
    }),
  };
}

/** Why a check fails; nothing when it does not. */
async function failureOf(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, checkTimeoutMs, `no answer within ${checkTimeoutMs} ms`);
  });
  const answer = check.isReady().then(
    (isReady) => (isReady ? undefined : 'it says no'),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
