import type { Judge } from './first-bytes.ts';

/** What a connection of HTTP/2 begins with. Source: RFC 9113, section 3.4. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** So much tells it from a request of HTTP/1: no method is called `PRI`. */
const tellingBytes = 4;

/** Longest beginning that is read to tell them apart. */
export const prefaceBytesMax = tellingBytes;

/** Whether a connection speaks HTTP/2. */
export const judgePreface: Judge<boolean> = (bytes) => {
  const length = Math.min(bytes.length, tellingBytes);
  if (bytes.compare(preface, 0, length, 0, length) !== 0) return { verdict: false, taken: 0 };
  return length < tellingBytes ? undefined : { verdict: true, taken: 0 };
};
