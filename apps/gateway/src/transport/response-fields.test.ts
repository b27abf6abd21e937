import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ResponseFields } from './response-fields.ts';
import { ResponseReader } from './response-reader.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

it('nothing of an answer’s head stays when the answer has gone', () => {
  const padding = 'p'.repeat(60_000);
  const sink = { isHeld: false, onHead: () => undefined, onBody: () => undefined, onWhole: () => undefined };
  const before = heapBytes();
  const readers = Array.from({ length: 500 }, (_, index) => {
    const lines = `x-a-name-of-its-own-${index}: v\r\nKeep-Alive: timeout=5, max=${index}\r\nx-padding: ${padding}\r\n`;
    new ResponseFields().read(Buffer.from(lines, 'latin1').toString('latin1'), 0);
    const reader = new ResponseReader(sink);
    reader.begin('GET', undefined);
    reader.read(Buffer.from(`HTTP/1.1 204 None\r\n${lines}\r\n`, 'latin1'), 0);
    return reader;
  });
  const kept = heapBytes() - before;
  expect(readers.every(({ keepAliveSeconds }) => keepAliveSeconds === 5)).toBe(true);
  // A head each would be thirty.
  expect(kept).toBeLessThan(10_000_000);
});
