import * as v from 'valibot';
import type { Operation } from '../http/operation.ts';

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

async function outcome(check: ReadinessCheck): Promise<'ok' | 'failed'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, checkTimeoutMs, false);
  });
  const isReady = await Promise.race([check.isReady().catch(() => false), late]);
  clearTimeout(timer);
  return isReady ? 'ok' : 'failed';
}
