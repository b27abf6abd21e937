import { expect, it } from 'vitest';
import type { BodySink } from '../transport/body-source.ts';
import { retainedBytes, tinyViews } from '../transport/held-pieces.test-support.ts';
import { AnswerBody } from './answer-body.ts';

it('an answer that nobody reads yet keeps no more memory than it has bytes, by and large', () => {
  const count = 1000;
  const nothing = (): void => undefined;
  const body = new AnswerBody({ pause: nothing, resume: nothing, abort: nothing }, -1);
  for (const piece of tinyViews(count)) body.onChunk(piece);
  const pieces: Uint8Array[] = [];
  const sink: BodySink = { onChunk: (piece) => pieces.push(piece), onEnd: nothing, onError: nothing };
  body.read(sink);
  expect(Buffer.concat(pieces).length).toBe(count);
  expect(retainedBytes(pieces)).toBeLessThan(4 * count);
});
