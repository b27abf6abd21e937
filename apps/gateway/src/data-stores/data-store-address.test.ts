import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDataStoreAddress } from './data-store-address.ts';

describe('addresses of databases', () => {
  it.each([
    [
      'postgres://gateway:p%40ss@db.example:6000/cache?sslmode=verify-full',
      {
        kind: 'postgres',
        host: 'db.example',
        port: 6000,
        user: 'gateway',
        password: 'p@ss',
        database: 'cache',
        isTls: true,
      },
    ],
    [
      'postgresql://gateway@[::1]/ca%2Dche',
      { kind: 'postgres', host: '::1', port: 5432, user: 'gateway', database: 'ca-che', isTls: false },
    ],
    [
      'postgres://gateway@10.0.0.1/cache?sslmode=require',
      { kind: 'postgres', host: '10.0.0.1', port: 5432, user: 'gateway', database: 'cache', isTls: true },
    ],
    [
      'mongodb://user:p%40ss@a.example:27018,b.example/cache?replicaSet=rs0&tls=true',
      {
        kind: 'mongodb',
        url: 'mongodb://user:p%40ss@a.example:27018,b.example/cache?replicaSet=rs0&tls=true',
        hosts: [
          { host: 'a.example', port: 27_018 },
          { host: 'b.example', port: 27_017 },
        ],
        database: 'cache',
        isTls: true,
      },
    ],
    [
      'mongodb://[::1]:27017',
      {
        kind: 'mongodb',
        url: 'mongodb://[::1]:27017',
        hosts: [{ host: '::1', port: 27_017 }],
        database: 'portcullis',
        isTls: false,
      },
    ],
    [
      'mongodb+srv://user:pass@cluster.example/?appName=x',
      {
        kind: 'mongodb',
        url: 'mongodb+srv://user:pass@cluster.example/?appName=x',
        hosts: [],
        database: 'portcullis',
        isTls: true,
      },
    ],
  ])('%s', (text, address) => {
    expect(readDataStoreAddress(text)).toEqual({ address });
  });

  it.each([
    ['another scheme', 'mysql://secret@host/db'],
    ['no scheme', 'secret'],
    ['no user', 'postgres://host/secret'],
    ['no database', 'postgres://secret@host'],
    ['two databases', 'postgres://secret@host/a/b'],
    ['bad percent', 'postgres://secret%zz@host/db'],
    ['TLS that nobody checks', 'postgres://secret@host/db?sslmode=prefer'],
    ['unknown option', 'postgres://secret@host/db?options=-csearch_path%3Dsecret'],
    ['a fragment', 'postgres://secret@host/db#x'],
    ['a port that is none', 'postgres://secret@host:99999/db'],
    ['no host', 'mongodb://secret@/db'],
    ['an empty host', 'mongodb://secret@a,,b/db'],
    ['port 0', 'mongodb://secret@a:0/db'],
    ['no check of certificates', 'mongodb://secret@a/db?tls=true&tlsInsecure=true'],
    ['no check of names', 'mongodb://secret@a/db?tlsAllowInvalidHostnames=true'],
    ['no check, in other letters', 'mongodb+srv://secret@a/db?TLSALLOWINVALIDCERTIFICATES=true'],
    ['bad percent in MongoDB', 'mongodb://secret%zz@a/db'],
  ])('%s is a mistake, and nothing of it is repeated', (_, text) => {
    const outcome = readDataStoreAddress(text);
    expect(outcome).toHaveProperty('mistake');
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it('any text has an outcome', () => {
    fc.assert(
      fc.property(fc.constantFrom('postgres://', 'mongodb://', 'mongodb+srv://', ''), fc.string(), (scheme, rest) => {
        expect(Object.keys(readDataStoreAddress(scheme + rest))).toHaveLength(1);
      }),
    );
  });
});
