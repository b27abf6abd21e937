import { readConfig } from '../config.ts';
import type { Log } from '../logging.ts';
import { type RunningService, type ServiceSurroundings, startService } from '../start-service.ts';
import { checkAnswer } from './answer-contract.test-support.ts';

/** Password of the first super administrator `admin`, and of whoever a test makes with it. */
export const password = 'a long enough password';

/** The key ring of test services: always the same, so that a second one opens the database of the first. */
export const secretKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

const ignore = (): void => undefined;

/** A log for tests that do not look at it. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** What a call was answered with. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** What differs from the usual for one call. */
export interface CallOptions {
  /** Bearer token; the super administrator's when not given, none when empty. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What differs from the usual for a whole service. */
export interface TestServiceOptions extends Partial<ServiceSurroundings> {
  /** Further `PORTCULLIS_…` settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The real service on a free port. */
export interface TestService {
  readonly url: string;
  readonly running: RunningService;
  /** Access token of the super administrator `admin`. */
  readonly token: string;
  /** Sends JSON and gives what came back; a body that is no JSON comes as text. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Logs in and gives the access token. @throws Error when that is refused */
  login(username: string, options?: { readonly password?: string; readonly tenantId?: string }): Promise<string>;
  /** Makes a tenant whose slug and ID is `tenantId`. */
  addTenant(tenantId: string): Promise<void>;
  /** Makes a user of a tenant with {@link password} and gives an access token of theirs. */
  addUser(tenantId: string, username: string, role: 'admin' | 'writer' | 'reader'): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the real service on a database, as `main.ts` does, and logs its first super administrator in:
 *
 * ```ts
 * describeOnEachDatabase('…', (context) => {
 *   let service: TestService;
 *   beforeAll(async () => { service = await startTestService(context.url()); await service.addTenant('acme'); });
 *   afterAll(() => service.stop());
 * ```
 *
 * Each answer is held against the API description; one that it does not declare fails the test in which it came.
 */
export async function startTestService(databaseUrl: string, options: TestServiceOptions = {}): Promise<TestService> {
  const { settings, ...surroundings } = options;
  const config = readConfig({
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_DATABASE_URL: databaseUrl,
    PORTCULLIS_SECRET_KEYS: secretKeys,
    PORTCULLIS_ADMIN_PASSWORD: password,
    ...settings,
  });
  if (!config.ok) throw new Error(config.errors.join(' '));
  const running = await startService(config.config, {
    log: silentLog,
    release: '0.1.0',
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
    onAnswer: checkAnswer,
    ...surroundings,
  });
  const send = async (method: string, path: string, body: unknown, token: string, headers = {}): Promise<Answer> => {
    const response = await fetch(`${running.url}${path}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: parsedIfJson(await response.text()) };
  };
  const login: TestService['login'] = async (username, given = {}) => {
    const tenant = given.tenantId === undefined ? {} : { tenant_id: given.tenantId };
    const body = { username, password: given.password ?? password, ...tenant };
    const answer = await send('POST', '/auth/login', body, '');
    if (answer.status !== 200) throw new Error(`login as ${username}: ${answer.status}`);
    return answer.body.access_token;
  };
  const token = await login('admin');
  const made = async (path: string, body: object): Promise<void> => {
    const answer = await send('POST', `/api/v1/admin${path}`, body, token);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  return {
    url: running.url,
    running,
    token,
    call: (method, path, body, given = {}) => send(method, path, body, given.token ?? token, given.headers),
    login,
    addTenant: (tenantId) => made('/tenants', { name: tenantId, slug: tenantId }),
    async addUser(tenantId, username, role) {
      await made('/users', { tenant_id: tenantId, username, password, role });
      return login(username, { tenantId });
    },
    stop: () => running.stop(),
  };
}

function parsedIfJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
