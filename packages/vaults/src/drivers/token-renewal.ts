import { isObject, textOf } from '../secret-content.ts';

/** Share of a token's time after which it is renewed: an outage of the vault may last for the other half. */
const RENEWED_AFTER = 0.5;

/** A token is renewed no more often than this, in milliseconds, however short its time is. */
export const RENEWAL_MS_MIN = 5000;

/** When a token that cannot be renewed, or has no end, is asked about again, in milliseconds: its policy may change. */
export const REFUSED_MS: number = 60 * 60_000;

/** Sends one request with which a token renews itself. */
type RenewToken = () => Promise<{ readonly status: number; readonly body: Uint8Array }>;

/** What a renewal works with. */
export interface RenewalPorts {
  readonly monotonicMs: () => number;
  /** The vault said no. Called once, until it says yes again. */
  readonly onRefused: (status: number) => void;
}

/**
 * Keeps the token of a vault alive for as long as secrets are read with it. A token that may not be renewed is left alone: it ends when it
 * ends, and the reads say so then.
 */
export class TokenRenewal {
  readonly #renew: RenewToken;
  readonly #ports: RenewalPorts;
  #dueMs = 0;
  #isRefused = false;

  constructor(renew: RenewToken, ports: RenewalPorts) {
    this.#renew = renew;
    this.#ports = ports;
  }

  /** Begins to renew the token where it is time to, and waits for nothing. */
  renewWhenDue(): void {
    const nowMs = this.#ports.monotonicMs();
    if (nowMs < this.#dueMs) return;
    // Until there is an answer: reads go on meanwhile, and one renewal is enough.
    this.#dueMs = nowMs + RENEWAL_MS_MIN;
    void this.#renewOnce();
  }

  async #renewOnce(): Promise<void> {
    try {
      const { status, body } = await this.#renew();
      // An outage is tried again soon; a refusal would be the same.
      if (status >= 500 || status === 429) return;
      const seconds = status === 200 ? leaseSeconds(body) : 0;
      const waitMs = seconds > 0 ? Math.max(seconds * 1000 * RENEWED_AFTER, RENEWAL_MS_MIN) : REFUSED_MS;
      this.#dueMs = this.#ports.monotonicMs() + waitMs;
      this.#tell(status);
    } catch {
      // The vault does not answer: the next read tries again.
    }
  }

  #tell(status: number): void {
    const isNews = status !== 200 && !this.#isRefused;
    this.#isRefused = status !== 200;
    if (isNews) this.#ports.onRefused(status);
  }
}

/** `{"auth":{"renewable":true,"lease_duration":3600}}`; 0 where there is nothing to renew again. */
function leaseSeconds(body: Uint8Array): number {
  let answer: unknown;
  try {
    answer = JSON.parse(textOf(body));
  } catch {
    return 0;
  }
  const auth = isObject(answer) ? answer['auth'] : undefined;
  if (!isObject(auth) || auth['renewable'] !== true) return 0;
  const { lease_duration: seconds } = auth;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : 0;
}
