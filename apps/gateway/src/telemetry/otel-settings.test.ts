import { describe, expect, it } from 'vitest';
import { readOtelSettings, type OtelSettings } from './otel-settings.ts';

/** What variables mean, and what is wrong with them. */
function read(env: Readonly<Record<string, string>>): {
  readonly settings: OtelSettings;
  readonly mistakes: readonly string[];
} {
  const mistakes: string[] = [];
  const text = (name: string, fallback: string): string => env[name] ?? fallback;
  const whole = (name: string, fallback: number): number => Number(env[name] ?? fallback);
  return { settings: readOtelSettings({ text, whole, mistakes }), mistakes };
}

describe('the variables of OpenTelemetry', () => {
  it('send nothing where no endpoint is set, and decide for traces that begin here all the same', () => {
    const { settings, mistakes } = read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_SERVICE_NAME: 'edge' });
    expect([settings.traces, settings.metrics, mistakes]).toEqual([undefined, undefined, []]);
    expect(settings.sampler).toEqual({ name: 'parentbased_always_on', ratio: 1 });
  });

  it.each<[string, Readonly<Record<string, string>>, readonly (string | undefined)[]]>([
    [
      'paths go below the endpoint',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' },
      ['http://c:4318/v1/traces', 'http://c:4318/v1/metrics'],
    ],
    [
      'also below its path',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp//' },
      ['https://c/otlp/v1/traces', 'https://c/otlp/v1/metrics'],
    ],
    [
      'an endpoint of one kind is whole',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/in' },
      ['http://t/in', 'http://c/v1/metrics'],
    ],
    ['one kind alone', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m/in' }, [undefined, 'http://m/in']],
    [
      'one kind not',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_METRICS_EXPORTER: 'none' },
      ['http://c/v1/traces', undefined],
    ],
    ['switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'TRUE' }, [undefined, undefined]],
  ])('%s', (_name, env, urls) => {
    const { settings, mistakes } = read(env);
    expect([settings.traces?.url, settings.metrics?.url]).toEqual(urls);
    expect(mistakes).toEqual([]);
  });

  it('read lists of names and values, percent-encoded', () => {
    const { settings, mistakes } = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c',
      OTEL_EXPORTER_OTLP_HEADERS: ' x-key = a%2Cb%3D , authorization=Basic%20x==,',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,__proto__=x',
    });
    expect(mistakes).toEqual([]);
    expect({ ...settings.traces?.headers }).toEqual({ 'x-key': 'a,b=', authorization: 'Basic x==' });
    expect(Object.entries(settings.resourceAttributes)).toEqual([
      ['deployment.environment.name', 'prod'],
      ['__proto__', 'x'],
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['portcullis-gateway', { OTEL_RESOURCE_ATTRIBUTES: 'a=b' }],
    ['attr', { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attr' }],
    ['named', { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attr', OTEL_SERVICE_NAME: 'named' }],
    ['portcullis-gateway', { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attr', OTEL_SERVICE_NAME: 'portcullis-gateway' }],
  ])('name the service %s by %j', (name, env) => {
    expect(read(env).settings.serviceName).toBe(name);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'c:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://c'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'nowhere'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=b'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
  ])('are a mistake that is named: %s=%s', (name, value) => {
    const { mistakes } = read({ [name]: value });
    expect(mistakes.length).toBeGreaterThan(0);
    for (const mistake of mistakes) expect(mistake).toMatch(new RegExp(`^${name} .*\\.$`));
  });
});
