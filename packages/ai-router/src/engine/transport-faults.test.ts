import { chatFrames, eventually, frame } from '@portcullis/testkit';
import { makeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { EARLY_BYTES_MAX } from './stream-relay.ts';
import { isStream, startTestRouter } from './router.test-support.ts';

describe('a provider whose certificate nobody trusts', () => {
  it.each([false, true])('gets no key, and is an attempt that failed (stream %s)', async (stream) => {
    const { keyPem, pem } = makeCertificate({ subject: '127.0.0.1' });
    await using test = await startTestRouter({ providers: { first: {} }, tls: { key: keyPem, cert: pem } });
    const answer = await test.ask({ stream });
    expect([answer.status, answer.body]).toMatchObject([502, { error: { code: 'ai_targets_exhausted' } }]);
    expect(answer.attempts).toMatchObject([{ outcome: 'transport_error', error_class: 'unreachable', status: null }]);
    expect(test.providers['first']?.requests).toEqual([]);
  });
});

describe('a client that reads slowly', () => {
  it('holds the provider, and gets all of it in its order', async () => {
    await using test = await startTestRouter({ providers: { first: {} } });
    const [role = '', , , ...ending] = chatFrames();
    const content = 'x'.repeat(64 * 1024);
    const many = Array.from({ length: 200 }, () => frame({ choices: [{ index: 0, delta: { content } }] }));
    test.providers['first']?.plan({ kind: 'stream', parts: [role, ...many, ...ending] });
    const { body } = await test.begin({ stream: true, stream_options: { include_usage: true } });
    if (!isStream(body)) throw new Error('no stream');
    let taken = 0;
    let isOpen = false;
    const ended = new Promise<boolean>((resolve) => {
      body.start({
        write: (bytes) => {
          taken += bytes.byteLength;
          if (isOpen) setImmediate(() => body.resume());
          return false;
        },
        end: () => resolve(true),
        fail: () => resolve(false),
      });
    });
    // Sockets take some of it; the rest waits in the provider's own process.
    await eventually(() => expect(test.providers['first']?.requests).toHaveLength(1));
    expect(taken).toBeLessThan(4 * EARLY_BYTES_MAX);
    expect(test.providers['first']?.requests[0]?.isAnswered).toBe(false);
    isOpen = true;
    body.resume();
    expect(await ended).toBe(true);
    expect(taken).toBe([role, ...many, ...ending].join('').length);
  });
});
