import { expect, it } from 'vitest';
import { readSettings } from '../settings.ts';
import { readRedisAddress } from './redis-address.ts';

it.each([
  ['redis://cache', { host: 'cache', port: 6379, database: 0, isTls: false }],
  ['redis://10.0.0.1:7000/3', { host: '10.0.0.1', port: 7000, database: 3, isTls: false }],
  ['rediss://[2001:db8::1]:6380', { host: '2001:db8::1', port: 6380, database: 0, isTls: true }],
  ['redis://:p%40ss@cache/', { host: 'cache', port: 6379, password: 'p@ss', database: 0, isTls: false }],
  ['redis://me:p@cache', { host: 'cache', port: 6379, username: 'me', password: 'p', database: 0, isTls: false }],
])('%s is read', (text, address) => {
  expect(readRedisAddress(text)).toEqual({ address });
});

it.each([
  ['cache:6379', 'must begin with redis:// or rediss://'],
  ['http://cache', 'must begin with redis:// or rediss://'],
  ['not an address', 'must be an address, redis://host:port or rediss://host:port'],
  ['redis://', 'must name a host'],
  ['redis://secret@cache/x', 'must end with the number of a database, 0 to 9999, or with none'],
  ['redis://cache?family=6', 'must have nothing after the number of the database'],
  ['redis://:%zz@cache', 'must have user and password percent-encoded'],
])('%s is refused at the start, and not repeated', (text, mistake) => {
  const outcome = readSettings({ PORTCULLIS_REDIS_URL: text });
  expect(outcome.ok ? [] : outcome.mistakes).toContain(`PORTCULLIS_REDIS_URL ${mistake}.`);
});
