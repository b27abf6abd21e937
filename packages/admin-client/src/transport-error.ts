import { transportProblem } from './problem.ts';
import type { AdminProblem, TransportCode } from './problem.ts';

/** A transport failure on its way out of the typed client. `request` gives it as a value instead. */
export class AdminTransportError extends Error {
  override readonly name = 'AdminTransportError';
  readonly code: TransportCode;

  constructor(code: TransportCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  /** The failure as `request` shows it. */
  get problem(): AdminProblem {
    return transportProblem(this.code, this.message);
  }
}

/** Turns what a fetch rejected with into one clear sentence. @param origin where it went; never holds credentials */
export function asTransportError(error: unknown, origin: string, timeoutMs: number): AdminTransportError {
  if (error instanceof AdminTransportError) return error;
  const { code, name, message } = innermost(error);
  if (name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new AdminTransportError('timeout', `${origin} did not answer within ${timeoutMs / 1000} seconds`, error);
  }
  if (code === 'ECONNREFUSED') {
    return new AdminTransportError('connection_refused', `${origin} refused the connection: is it running?`, error);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new AdminTransportError('host_not_found', `${origin}: the host name cannot be resolved`, error);
  }
  return new AdminTransportError('connection_failed', `the connection to ${origin} failed: ${code ?? message}`, error);
}

interface Failure {
  readonly code?: string | undefined;
  readonly name: string;
  readonly message: string;
}

/** Fetch wraps what happened; several addresses of one host each add a failure of their own. */
function innermost(error: unknown): Failure {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const inner = current instanceof AggregateError ? (current.errors as unknown[])[0] : current.cause;
    if (!(inner instanceof Error)) break;
    current = inner;
  }
  if (!(current instanceof Error)) return { name: '', message: String(current) };
  const { code } = current as { code?: unknown };
  return { code: typeof code === 'string' ? code : undefined, name: current.name, message: current.message };
}
