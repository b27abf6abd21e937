import { describe, expect, it } from 'vitest';
import { gwctlHome, startFakeApi } from './fake-api.test-support.ts';
import { hasTerminals, onTerminal } from './terminal.test-support.ts';

const bold = '\u001B[1m';
const contexts = { current: 'a', contexts: { a: { api_url: 'http://a:1', token: 'token-a' } } };

describe.skipIf(!hasTerminals)('on a terminal (needs script of util-linux)', () => {
  it('tables have colours, unless NO_COLOR says otherwise', async () => {
    await using home = await gwctlHome();
    home.write(contexts);
    const env = { GWCTL_CONFIG: home.config };
    expect(await onTerminal('gwctl context list', env)).toContain(`${bold}NAME`);
    expect(await onTerminal('gwctl context list', { ...env, NO_COLOR: '1' })).not.toContain('\u001B[');
    expect(await onTerminal('gwctl context list | cat', env)).not.toContain('\u001B[');
  });

  it('a password is asked for and not shown', async () => {
    await using api = await startFakeApi({ 'POST /auth/login': { access_token: 'eyJ.access.token' } });
    await using home = await gwctlHome();
    const login = `gwctl --api-url ${api.url} login --username ada --tenant-id acme`;
    let isTyped = false;
    const shown = await onTerminal(login, { GWCTL_CONFIG: home.config }, (text) => {
      if (isTyped || !text.includes('Password of ada: ')) return undefined;
      isTyped = true;
      return 'correct horse\r';
    });
    expect(shown).not.toContain('horse');
    expect(shown).toContain('is now current');
    expect(JSON.parse(String(api.requests[0]?.body))).toMatchObject({ password: 'correct horse' });
  });

  it('a user name that is not given is asked for and shown', async () => {
    await using api = await startFakeApi({ 'POST /auth/login': { access_token: 'eyJ.access.token' } });
    await using home = await gwctlHome();
    const typed = ['ada\r', 'correct horse\r'];
    const prompts = ['User name: ', 'Password of ada: '];
    const shown = await onTerminal(`gwctl --api-url ${api.url} login`, { GWCTL_CONFIG: home.config }, (text) =>
      prompts[0] !== undefined && text.includes(prompts[0]) ? (prompts.shift(), typed.shift()) : undefined,
    );
    expect(shown).not.toContain('horse');
    expect(shown).toContain('it has no tenant: give --tenant-id');
    expect(JSON.parse(String(api.requests[0]?.body))).toEqual({ username: 'ada', password: 'correct horse' });
  });

  it('Ctrl-C at the prompt ends with 130, writes nothing and leaves the terminal as it was', async () => {
    await using home = await gwctlHome();
    const login = 'gwctl login --username ada; echo "code $?"; stty -a';
    let isTyped = false;
    const shown = await onTerminal(login, { GWCTL_CONFIG: home.config }, (text) => {
      if (isTyped || !text.includes('Password of ada: ')) return undefined;
      isTyped = true;
      return '\u0003';
    });
    expect(shown).toContain('gwctl: interrupted\r\ncode 130\r\n');
    expect(shown).toMatch(/ icanon /);
    expect(shown).toMatch(/ echo /);
    expect(() => home.stored()).toThrow('ENOENT');
  });
});
