import { SecretError, noSecrets, type SecretSource } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { SendError } from './record-sender.ts';
import { secretHeaders } from './secret-headers.ts';

const { signal } = new AbortController();

function sourceOf(secrets: Readonly<Record<string, string>>): SecretSource {
  return {
    read(reference) {
      const secret = new Map(Object.entries(secrets)).get(reference);
      if (secret === undefined) throw new SecretError('not_found', 'canary');
      return secret;
    },
  };
}

describe('headers that may be secrets', () => {
  it('are sent as they stand where none is a reference, without a question', () => {
    expect(secretHeaders({ 'X-A': 'a', 'X-B': 'vault:b' }, noSecrets)(signal)).toEqual(['X-A', 'a', 'X-B', 'vault:b']);
  });

  it('are read where they are references, in a vault or in the environment', async () => {
    const secrets = sourceOf({ 'vault://keys/logs': 'first', 'env://LOGS_KEY': 'second' });
    const headers = secretHeaders({ 'X-A': 'vault://keys/logs', 'X-B': 'b', 'X-C': 'env://LOGS_KEY' }, secrets);
    expect(await headers(signal)).toEqual(['X-A', 'first', 'X-B', 'b', 'X-C', 'second']);
  });

  it.each([
    ['the vault has none', {}],
    ['the secret holds a line break', { 'vault://keys/logs': 'a\r\nX-B: b' }],
    ['the secret is no header value', { 'vault://keys/logs': 'snow ☃' }],
  ])('are not sent, and may be later, where %s; the error says nothing of it', async (_name, secrets) => {
    const headers = secretHeaders({ 'X-A': 'vault://keys/logs' }, sourceOf(secrets));
    const error = await Promise.resolve(headers(signal)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SendError);
    expect(error).toMatchObject({
      isRetryable: true,
      message: expect.not.stringMatching(/canary|keys|snow/) as unknown,
    });
  });
});
