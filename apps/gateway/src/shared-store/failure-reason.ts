/**
 * A word or two about an error of the client, fit for a log: a system's code (`ECONNREFUSED`), or the first word of what Redis answered
 * (`WRONGPASS`, `NOAUTH`). Messages and fields of such errors may quote commands with their arguments, a password among them.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [word = ''] = /^[A-Z]{3,20}\b/.exec(error.message) ?? [];
  if (word !== '') return word;
  if (error.message.startsWith('Socket timeout')) return 'no answer';
  return error.name;
}
