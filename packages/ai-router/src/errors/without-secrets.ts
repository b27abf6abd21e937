import type { Credential } from '../providers/adapter.ts';
import type { Provider } from '../providers/provider.ts';

/** Shorter texts stand in many answers by accident; no vendor's key is that short. */
export const echoedSecretLengthMin = 8;

const mask = '***';

/**
 * A provider's error without what the provider was called with: some repeat the request that they refuse, and its headers are the
 * operator's. The client gets the rest as it came. Source: spec, Errors; security, Redaction.
 * @param text of JSON
 */
export function withoutSecrets(text: string, provider: Provider, credential: Credential): string {
  const { headers, auth } = provider;
  const sent = [
    ...Object.values(credential),
    ...headers.filter((_part, at) => at % 2 === 1),
    auth?.headerValue,
    auth?.paramValue,
  ];
  const secrets = sent.filter((value) => value !== undefined && value.length >= echoedSecretLengthMin);
  // The longest first: one may be a part of another.
  return secrets
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(JSON.stringify(secret).slice(1, -1), mask), text);
}
