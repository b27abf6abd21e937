import { describe, expect, it } from 'vitest';
import { negotiateMetrics } from './index.ts';

const ofPrometheus =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,' +
  'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

describe('negotiateMetrics', () => {
  it.each([
    [undefined, 'prometheus'],
    ['', 'prometheus'],
    ['*/*', 'prometheus'],
    ['application/*', 'prometheus'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'prometheus'],
    [ofPrometheus, 'open_metrics'],
    ['application/openmetrics-text', 'open_metrics'],
    ['Application/OpenMetrics-Text; Version=1.0.0', 'open_metrics'],
    ['application/openmetrics-text, text/plain', 'open_metrics'],
    ['application/openmetrics-text;q=0.5, text/plain;q=0.9', 'prometheus'],
    ['application/openmetrics-text;q=0', 'prometheus'],
    ['application/openmetrics-text;q=2', 'prometheus'],
    ['application/openmetrics-text;q=much', 'prometheus'],
    [`${'a/b,'.repeat(2000)}application/openmetrics-text`, 'prometheus'],
  ])('takes %s for %s', (accept, name) => {
    expect(negotiateMetrics(accept).name).toBe(name);
  });

  it('says what it is', () => {
    expect(negotiateMetrics(undefined).contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(negotiateMetrics('application/openmetrics-text').contentType).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
  });
});
