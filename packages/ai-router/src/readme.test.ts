import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openAiError, startAiProvider } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { chatServer } from '../examples/answer-chats.ts';

const root = join(import.meta.dirname, '..');

describe('the README', () => {
  it('shows the example that runs here', () => {
    const example = readFileSync(join(root, 'examples/answer-chats.ts'), 'utf8');
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(example);
    // Nothing that a reader could not install.
    expect(example.match(/'@portcullis\/[a-z-]+'/g)).toEqual(["'@portcullis/ai-router'", "'@portcullis/egress'"]);
  });

  it('says what its example does: the second provider is asked when the first is down, and streams flow', async () => {
    await using first = await startAiProvider();
    await using second = await startAiProvider();
    first.plan(openAiError(503, 'down'));
    const server = chatServer(`${first.url}/v1`, `${second.url}/v1`);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const ask = (stream: boolean): Promise<Response> => {
      const body = JSON.stringify({ model: 'chat', stream, messages: [{ role: 'user', content: 'Hello?' }] });
      return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
    };
    const whole = await ask(false);
    expect(whole.headers.get('x-gateway-ai-fallback')).toBe('true');
    expect(await whole.json()).toMatchObject({ choices: [{ message: { content: 'Hello there' } }] });
    expect(await (await ask(true)).text()).toMatch(/\[DONE\]\n\n$/);
    expect(second.requests.at(-1)?.body).toMatchObject({ model: 'small' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
