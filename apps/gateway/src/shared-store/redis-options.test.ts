import { describe, expect, it } from 'vitest';
import { redisOptions } from './redis-options.ts';

describe('redisOptions', () => {
  it.each([
    ['cache.internal', { servername: 'cache.internal' }],
    ['10.0.0.1', {}],
    ['2001:db8::1', {}],
  ])('name the server %s in TLS as far as TLS may: an address is no name', (host, tls) => {
    const address = { host, port: 6380, database: 0, isTls: true };
    expect(redisOptions(address, () => 1000)).toMatchObject({ host, tls });
    expect(Object.keys(redisOptions(address, () => 1000).tls ?? {})).toEqual(Object.keys(tls));
    expect(redisOptions({ ...address, isTls: false }, () => 1000)).not.toHaveProperty('tls');
  });

  it('leave a server that became a replica, as Redis 6.2 and 7 say it', () => {
    const { reconnectOnError } = redisOptions({ host: 'a', port: 1, database: 0, isTls: false }, () => 1000);
    const messages = [
      "READONLY You can't write against a read only replica.",
      "ERR Error running script (call to f_1): @user_script:5: @user_script: 5: -READONLY You can't write against a read only replica.",
      'ERR unknown command',
    ];
    expect(messages.map((message) => reconnectOnError?.(new Error(message)))).toEqual([true, true, false]);
  });
});
