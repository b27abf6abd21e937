/** How metrics are written, and the content type that says so. */
export interface MetricsFormat {
  readonly name: 'prometheus' | 'open_metrics';
  readonly contentType: string;
}

const PROMETHEUS: MetricsFormat = { name: 'prometheus', contentType: 'text/plain; version=0.0.4; charset=utf-8' };

const OPEN_METRICS: MetricsFormat = {
  name: 'open_metrics',
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/**
 * The format that a scraper likes best. OpenMetrics goes only to those that name it, and not to those that name plain text with a
 * higher weight: a person with a browser or `curl` gets the older text. A field that is no `Accept` counts as none.
 * Source: RFC 9110, 12.5.1; OpenMetrics 1.0.0, Protocol Negotiation.
 * @param accept the request's `Accept`; several lines joined with a comma
 */
export function negotiateMetrics(accept: string | undefined): MetricsFormat {
  let open = 0;
  let plain = 0;
  for (const range of (accept ?? '').slice(0, ACCEPT_LENGTH_MAX).split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type === 'application/openmetrics-text') open = Math.max(open, weightOf(parameters));
    else if (type === 'text/plain') plain = Math.max(plain, weightOf(parameters));
  }
  return open > 0 && open >= plain ? OPEN_METRICS : PROMETHEUS;
}

/** Characters of the field that are read; Prometheus sends about 300. */
const ACCEPT_LENGTH_MAX = 4096;

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
