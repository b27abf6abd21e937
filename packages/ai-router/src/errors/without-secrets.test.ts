import { describe, expect, it } from 'vitest';
import { readProvider } from '../providers/read-provider.ts';
import { withoutSecrets } from './without-secrets.ts';

const provider = readProvider({
  name: 'p',
  type: 'openai',
  api_key: 'sk-a-key-of-mine',
  headers: { 'x-team': 'team-"quoted"-secret', 'x-mode': 'fast' },
});

describe('a provider that repeats what it was sent', () => {
  it('is passed on without the credential and the headers of the operator', () => {
    const echo = {
      error: { message: 'no: Bearer sk-a-key-of-mine, team-"quoted"-secret, fast', code: 'invalid_api_key' },
    };
    const told = JSON.parse(withoutSecrets(JSON.stringify(echo), provider, { apiKey: 'sk-a-key-of-mine' })) as object;
    expect(told).toEqual({ error: { message: 'no: Bearer ***, ***, fast', code: 'invalid_api_key' } });
  });

  it('is passed on as it came where nothing of it is secret', () => {
    const text = JSON.stringify({ error: { message: 'the model does not exist' } });
    expect(withoutSecrets(text, provider, { apiKey: 'sk-a-key-of-mine' })).toBe(text);
  });
});
