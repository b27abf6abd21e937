import { parsePathTemplate } from '@portcullis/openapi';
import { describe, expect, it } from 'vitest';
import { routePath } from './route-path.ts';

function shown(template: string): string {
  const parsed = parsePathTemplate(template);
  if (!parsed.ok) throw new Error(parsed.message);
  const path = routePath(parsed.segments);
  return path.ok ? `${path.path_type} ${path.path}` : path.message;
}

describe('routePath', () => {
  it.each([
    ['/', 'exact /'],
    ['/pets', 'exact /pets'],
    ['/pets/', 'exact /pets/'],
    ['//pets///all', 'exact /pets/all'],
    ['/caf%c3%a9/%7Euser', 'exact /caf%C3%A9/~user'],
    ['/café', 'exact /caf%C3%A9'],
    ['/pets/{petId}', 'regex ~/pets/(?<petId>[^/]+)$'],
    ['/pets/{petId}/', 'regex ~/pets/(?<petId>[^/]+)/$'],
    ['/v1.0/(a)/{id}', String.raw`regex ~/v1\.0/\(a\)/(?<id>[^/]+)$`],
    ['/files/{name}.{ext}', String.raw`regex ~/files/(?<name>[^/]+)\.(?<ext>[^/]+)$`],
    ['/users/{user-id}/{user.id}', 'regex ~/users/(?<user_id>[^/]+)/(?<user_id_2>[^/]+)$'],
    ['/n/{1st}/{文}', 'regex ~/n/(?<_1st>[^/]+)/(?<_>[^/]+)$'],
    ['/proxy/{rest+}', 'regex ~/proxy/(?<rest>.+)$'],
    ['/a/../b', 'has a dot segment, which requests never have'],
    ['/a/%2E%2e/{x}', 'has a dot segment, which requests never have'],
    ['/a/..;x', 'has a dot segment, which requests never have'],
    ['/a%00', 'has a character or an escape that no path may have'],
    ['/a%zz', 'has a character or an escape that no path may have'],
    ['/a\\b', 'has a character or an escape that no path may have'],
    [`/${'long/'.repeat(300)}{x}`, 'must be at most 1000 characters as a regular expression'],
  ])('%.40s', (template, path) => expect(shown(template)).toBe(path));
});
