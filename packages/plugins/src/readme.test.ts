import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handle } from '../examples/protect-a-handler.ts';
import { builtInPlugins } from './index.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

function send(key?: string): Promise<Response> {
  return handle(new Request('http://api.test/', { headers: key === undefined ? {} : { 'X-API-Key': key } }));
}

describe('the README', () => {
  it('shows the example that runs here', () => {
    expect(readme).toContain(readFileSync(join(root, 'examples/protect-a-handler.ts'), 'utf8'));
  });

  it('says what its example does: no key, two requests that pass, one too many', async () => {
    const answers = [await send(), await send('wrong'), await send('the-key-of-acme'), await send('the-key-of-acme')];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
    const [refused, , passed] = answers;
    expect(refused?.headers.get('www-authenticate')).toBe('ApiKey realm="api", header="X-API-Key"');
    expect([await passed?.text(), passed?.headers.get('x-frame-options')]).toEqual(['hello', 'DENY']);
    expect(passed?.headers.get('ratelimit')).toMatch(/^"default";r=1;t=\d+$/);
    const tooMany = await send('the-key-of-acme');
    expect([tooMany.status, tooMany.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(tooMany.headers.get('x-frame-options')).toBe('DENY');
  });

  it('lists every plugin', () => {
    expect(builtInPlugins.filter(({ name }) => !readme.includes(`](src/${name}/README.md)`))).toEqual([]);
  });
});
