import { describe, expect, it } from 'vitest';
import { messageAnswer } from '@portcullis/testkit';
import { startTestRouter } from './router.test-support.ts';

const beta = ['anthropic-beta', 'context-1m-2025-08-07, interleaved-thinking-2025-05-14'];

describe('headers that vendors read', () => {
  it('go on to a provider that speaks the form of the client', async () => {
    await using test = await startTestRouter({ providers: { first: { type: 'anthropic' } } });
    test.providers['first']?.plan(messageAnswer());
    const vendorHeaders = [...beta, 'anthropic-version', '2023-01-01', 'x-api-key', 'stolen', 'authorization', 'x'];
    await test.ask({ max_tokens: 9 }, { operation: 'messages', vendorHeaders });
    expect(test.providers['first']?.requests[0]?.headers).toMatchObject({
      'anthropic-beta': beta[1],
      'anthropic-version': '2023-01-01',
      'x-api-key': 'key-of-first',
    });
    expect(test.providers['first']?.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('leave the version to a config that has one, and its headers, too', async () => {
    const headers = ['anthropic-beta', 'of-the-operator'];
    await using test = await startTestRouter({
      providers: { first: { type: 'anthropic', apiVersion: '2023-06-01', headers } },
    });
    test.providers['first']?.plan(messageAnswer());
    const vendorHeaders = [...beta, 'anthropic-version', '2023-01-01'];
    await test.ask({ max_tokens: 9 }, { operation: 'messages', vendorHeaders });
    expect(test.providers['first']?.requests[0]?.headers).toMatchObject({
      'anthropic-beta': 'of-the-operator',
      'anthropic-version': '2023-06-01',
    });
  });

  it.each([
    ['another vendor', 'messages', beta],
    ['another form', 'chat', beta],
    ['what no vendor writes', 'chat', ['openai-beta', 'assistants=v2\u0000']],
    ['what is too long', 'chat', ['openai-beta', 'a'.repeat(99)]],
  ] as const)('do not go to %s', async (_name, operation, vendorHeaders) => {
    await using test = await startTestRouter({ providers: { first: {} } });
    await test.ask({ max_tokens: 9 }, { operation, vendorHeaders });
    expect(Object.keys(test.providers['first']?.requests[0]?.headers ?? {}).join(' ')).not.toMatch(/beta/);
  });

  it('of OpenAI go to OpenAI', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    await test.ask({}, { vendorHeaders: ['openai-beta', 'assistants=v2'] });
    expect(test.providers['first']?.requests[0]?.headers).toMatchObject({ 'openai-beta': 'assistants=v2' });
  });
});
