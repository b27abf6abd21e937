/** Headers that every request has: name and value by turns. */
export const usual: readonly string[] = [
  ...['host', 'api.test', 'user-agent', 'bench/1.0', 'accept', 'application/json'],
  ...['accept-encoding', 'gzip, br', 'x-forwarded-for', '192.0.2.1'],
];
