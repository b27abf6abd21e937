import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';
import { readPorts, streamPortsMax } from './listener-settings.ts';

const needed = { PORTCULLIS_CONTROL_PLANE_URL: 'http://127.0.0.1', PORTCULLIS_DATA_PLANE_TOKEN: 'gwdp_x' };

describe('ports for streams', () => {
  it.each([
    ['', []],
    ['5432', [5432]],
    [' 1, 65535 ,,', [1, 65_535]],
  ])('are read from "%s"', (list, ports) => {
    expect(readPorts(list)).toEqual(ports);
  });

  it.each(['0', '65536', '-1', '1.5', 'a', '80 81', '80,80', '1e3', '0x50', '123456'])('are no "%s"', (list) => {
    expect(readPorts(list)).toBeUndefined();
  });

  it('are bounded in number', () => {
    const list = (count: number): string => Array.from({ length: count }, (_port, at) => at + 1).join();
    expect(readPorts(list(streamPortsMax))).toHaveLength(streamPortsMax);
    expect(readPorts(list(streamPortsMax + 1))).toBeUndefined();
  });
});

describe('settings of connections', () => {
  it('say where TLS is taken, and whether the operator chose it', () => {
    const read = (env: Record<string, string>): unknown => readSettings({ ...needed, ...env });
    const defaults = { proxyTlsPort: 8443, isProxyTlsPortChosen: false, streamPorts: [], proxyProtocol: false };
    expect(read({})).toMatchObject({ ok: true, settings: defaults });
    const chosen = {
      PORTCULLIS_PROXY_TLS_PORT: '8443',
      PORTCULLIS_STREAM_PORTS: '1,2',
      PORTCULLIS_PROXY_PROTOCOL: 'on',
    };
    const settings = { proxyTlsPort: 8443, isProxyTlsPortChosen: true, streamPorts: [1, 2], proxyProtocol: true };
    expect(read(chosen)).toMatchObject({ ok: true, settings });
  });

  it.each([
    ['PORTCULLIS_PROXY_TLS_PORT', '70000', 'must be a port from 0 to 65535'],
    ['PORTCULLIS_STREAM_PORTS', '80,80', 'must be a comma list of at most 64 ports from 1 to 65535, each once'],
    ['PORTCULLIS_PROXY_PROTOCOL', 'v2', 'must be on or off'],
  ])('name %s where it is wrong', (name, value, rule) => {
    const outcome = readSettings({ ...needed, [name]: value });
    expect(outcome.ok ? '' : outcome.mistakes.join()).toContain(`${name} ${rule}`);
  });
});
