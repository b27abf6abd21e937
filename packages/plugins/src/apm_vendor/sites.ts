/** The vendor's sites. A list, because the name becomes part of a host's. Source: security rules, `apm_vendor.site`. */
export const SITES = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'ddog-gov.com',
] as const;

/** One of {@link SITES}. */
export type Site = (typeof SITES)[number];

/** Where a site takes logs. */
export function logsIntake(site: Site): string {
  return `https://http-intake.logs.${site}/api/v2/logs`;
}

/** Where a site takes figures. */
export function seriesIntake(site: Site): string {
  return `https://api.${site}/api/v2/series`;
}
