import { HeaderList } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { posedFields } from './posed-fields.ts';

const of = (...pairs: string[]): string => posedFields(new HeaderList(pairs));

describe('fields with which a request poses as another', () => {
  it.each([
    ...['Forwarded', 'X-Forwarded-Host', 'X-Forwarded-Prefix', 'X-Forwarded-Method', 'CloudFront-Forwarded-Proto'],
    ...['X-Host', 'X-Original-Host', 'X-HTTP-Host-Override', 'X-Original-URI', 'X-Original-Method', 'X-Script-Name'],
    ...['X-Http-DestinationURL', 'X-Envoy-Original-Path', 'X-Middleware-Prefetch', 'X-Invoke-Path', 'X-URL-Scheme'],
    ...['Front-End-Https', 'X-MS-Original-URL', 'X-Rewrite-URL', 'X-ARR-SSL', 'X-Scheme', 'X-Forwarded'],
  ])('%s counts, in any case', (name) => {
    expect(of(name, 'a')).not.toBe('');
    expect(of(name.toLowerCase(), 'a')).toBe(of(name.toUpperCase(), 'a'));
    expect(of(name, 'a')).not.toBe(of(name, 'b'));
  });

  it.each([
    ...['Accept', 'User-Agent', 'X-Forwarded-For', 'X-Original-Forwarded-For', 'X-Real-IP', 'X-Request-ID'],
    ...['X-Requested-With', 'X-Consumer-Username', 'X-API-Key', 'X-Amzn-Trace-Id', 'X-Envoy-External-Address'],
  ])('%s does not', (name) => {
    expect(of(name, 'a')).toBe('');
  });

  it('holds in Forwarded what is not about who the parties are', () => {
    const plain = of('Forwarded', 'for=192.0.2.1;host=a.test, for="[2001:db8::1]:80";by=_x');
    expect(plain).toBe(of('Forwarded', 'for=198.51.100.7;host=a.test, for=unknown;by=10.0.0.1'));
    expect(plain).not.toBe(of('Forwarded', 'for=192.0.2.1;host=b.test, for=unknown;by=_x'));
    // Somebody may read a host here.
    expect(of('Forwarded', 'for="a;host=evil"')).toContain('evil');
  });
});
