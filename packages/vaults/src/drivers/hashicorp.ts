import { fieldsContent, isObject, SECRET_BYTES_MAX, textOf, type SecretContent } from '../secret-content.ts';
import { VaultError } from '../vault-error.ts';
import type { HashicorpVault } from '../vault.ts';
import type { Driver } from './driver.ts';
import { TokenRenewal } from './token-renewal.ts';

/** What the driver works with. */
export interface HashicorpPorts {
  readonly outbound: VaultOutbound;
  readonly monotonicMs: () => number;
  /** The vault does not renew the token. Told once, until it does again. */
  readonly onRenewalRefused?: ((status: number) => void) | undefined;
}

/**
 * How long one answer may take, from resolving the name to the last byte, in milliseconds. Less than plugins have by default, so that
 * they learn of the failure and can go on without the secret where they are told to.
 */
export const VAULT_TIMEOUT_MS = 3000;

/** A call to a vault. */
export interface VaultRequest {
  readonly url: string;
  /** Default `GET`. */
  readonly method?: 'POST';
  /** Name and value by turns. */
  readonly headers: readonly string[];
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
  /** None is followed: the token goes to the configured address and nowhere else. */
  readonly redirectsMax: 0;
  /** `http:` leads only to addresses that the operator lists: the token and the secrets are in the call. Source: decisions, 20. */
  readonly requiresTls: true;
}

/** The way out, with the operator's rule about addresses: what the driver needs of `Outbound` of `@portcullis/plugin-runtime`. */
export interface VaultOutbound {
  /** Rejects with an error whose `code` says why, `refused` for an address that may not be called. */
  request(request: VaultRequest): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}

/**
 * Secrets of a key-value engine, version 1 or 2.
 * Source: HashiCorp Vault's HTTP API, `kv-v1`, `kv-v2` (read secret version), `auth/token` (renew self), headers `X-Vault-Token`, `X-Vault-Namespace`, `X-Vault-Request`.
 */
export function hashicorpDriver(
  { config }: HashicorpVault,
  { outbound, monotonicMs, onRenewalRefused }: HashicorpPorts,
): Driver {
  const { address, token, mount, kv_version: version, namespace } = config;
  const api = `${address.replace(/\/+$/, '')}/v1/`;
  const base = `${api}${mount}/${version === 2 ? 'data/' : ''}`;
  const headers = ['accept', 'application/json', 'x-vault-request', 'true', 'x-vault-token', token];
  if (namespace !== undefined) headers.push('x-vault-namespace', namespace);
  const bounds = { timeoutMs: VAULT_TIMEOUT_MS, responseBytesMax: SECRET_BYTES_MAX, redirectsMax: 0 } as const;
  const call = { ...bounds, headers, requiresTls: true } as const;
  const renewal = new TokenRenewal(
    () => outbound.request({ ...call, method: 'POST', url: `${api}auth/token/renew-self` }),
    { monotonicMs, onRefused: (status) => onRenewalRefused?.(status) },
  );
  return {
    async read(secret) {
      const { status, body } = await outbound.request({ ...call, url: `${base}${secret}` }).catch((error: unknown) => {
        throw unanswered(error);
      });
      if (status !== 200) throw refusal(status);
      const content = contentOf(body, version);
      renewal.renewWhenDue();
      return content;
    },
  };
}

/** `{"data":{…}}` of version 1; `{"data":{"data":{…},"metadata":{…}}}` of version 2, with null for what was deleted. */
function contentOf(body: Uint8Array, version: 1 | 2): SecretContent {
  let answer: unknown;
  try {
    answer = JSON.parse(textOf(body));
  } catch {
    // Said below. The parser's message quotes the answer.
  }
  const outer = isObject(answer) ? answer['data'] : undefined;
  const fields = version === 2 && isObject(outer) ? outer['data'] : outer;
  if (fields === null) throw new VaultError('not_found', 'the secret was deleted');
  if (!isObject(fields)) throw new VaultError('unavailable', 'the vault answered something else than a secret');
  return fieldsContent(fields);
}

function refusal(status: number): VaultError {
  if (status === 404) return new VaultError('not_found', 'the vault has no such secret');
  if (status === 401 || status === 403) return new VaultError('denied', `the vault refused its token with ${status}`);
  const isRedirect = status >= 300 && status < 400;
  return new VaultError(
    'unavailable',
    `the vault answered ${status}${isRedirect ? '; redirects are not followed' : ''}`,
  );
}

function unanswered(error: unknown): VaultError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'refused')
    return new VaultError('denied', "the operator does not let the vault's address be called", { isOfHost: true });
  if (code === 'timeout')
    return new VaultError('unavailable', `the vault did not answer within ${VAULT_TIMEOUT_MS} ms`);
  if (code === 'too_large') return new VaultError('unavailable', `the answer has more than ${SECRET_BYTES_MAX} bytes`);
  return new VaultError('unavailable', 'the vault cannot be reached');
}
