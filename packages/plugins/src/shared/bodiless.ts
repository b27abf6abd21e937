/** Statuses whose answers have no body, whatever the method. Source: RFC 9110, 6.4.1, 15.3.6. */
export const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);
