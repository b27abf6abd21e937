import type { AlertedSlo } from './alerted-slo.ts';

/** An SLO as rules and dashboards see it. */
export function alertedSlo(more: Partial<AlertedSlo> = {}): AlertedSlo {
  return {
    id: 'checkout',
    tenant_id: 'acme',
    name: 'Checkout answers',
    objective: { type: 'availability', target_percent: 99.9 },
    evaluation_window_minutes: 43_200,
    alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2 },
    enabled: true,
    ...more,
  };
}

/** Names that mean something to YAML, PromQL or templates of Go. */
export const hostileNames: readonly string[] = [
  '{{ $value }} {{{ }} {{ template "x" }}',
  'a: b # c\n- d\r\n"quoted" \\ \'single\'',
  'yes',
  '2026-01-01',
  '\u0000\u0007\u0085\u2028\ufeff\u{1f6a7} \ud800',
  '}) or vector(1) # ',
  '${x} $tenant %s <script>',
];
