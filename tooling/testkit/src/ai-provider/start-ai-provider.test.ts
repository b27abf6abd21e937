import { describe, expect, it } from 'vitest';
import { eventually, gate, startAiProvider, chatAnswer, chatFrames } from '../index.ts';

async function ask(url: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body), signal: signal ?? null });
}

describe('startAiProvider', () => {
  it('answers as OpenAI does until it is told a plan, and records what it was asked', async () => {
    await using provider = await startAiProvider();
    const answer = await ask(provider.url, { model: 'm' });
    expect(await answer.json()).toMatchObject({ object: 'chat.completion', usage: { total_tokens: 21 } });
    const stream = await ask(provider.url, { model: 'm', stream: true });
    expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect(provider.requests.map(({ url, body }) => [url, body])).toEqual([
      ['/v1/chat/completions', { model: 'm' }],
      ['/v1/chat/completions', { model: 'm', stream: true }],
    ]);
    await eventually(() => expect(provider.requests.map(({ isAnswered }) => isAnswered)).toEqual([true, true]));
  });

  it('takes plans in their order and keeps the last', async () => {
    await using provider = await startAiProvider();
    provider.plan({ kind: 'json', status: 503, body: {} }, chatAnswer({ text: 'at last' }));
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await ask(provider.url, {})).status);
    expect(statuses).toEqual([503, 200, 200]);
  });

  it('holds a stream until the test lets it go on, and sees who leaves', async () => {
    await using provider = await startAiProvider();
    const held = gate();
    const [first = '', ...rest] = chatFrames();
    provider.plan({ kind: 'stream', parts: [first, held, ...rest] });
    const leaving = new AbortController();
    const left = await ask(provider.url, {}, leaving.signal);
    const reader = left.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array)).toBe(first);
    leaving.abort();
    await eventually(() => expect(provider.requests[0]?.isAborted).toBe(true));
    const stayed = await ask(provider.url, {});
    held.open();
    expect(await stayed.text()).toBe([first, ...rest].join(''));
  });

  it.each(['cut', 'half'] as const)('breaks a connection: %s', async (kind) => {
    await using provider = await startAiProvider();
    provider.plan(kind === 'cut' ? { kind } : { kind, body: '{"a":' });
    await expect(ask(provider.url, {}).then((answer) => answer.text())).rejects.toThrow(/terminated|fetch failed/);
  });
});
