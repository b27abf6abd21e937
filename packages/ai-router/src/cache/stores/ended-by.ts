/** What a call brings, or the failure as soon as the signal fires. The call goes on, and nobody hears how it ends. */
export function endedBy<Answer>(
  signal: AbortSignal | undefined,
  call: Promise<Answer>,
  failure: () => Error,
): Promise<Answer> {
  if (signal === undefined) return call;
  if (signal.aborted) {
    call.catch(() => undefined);
    return Promise.reject(failure());
  }
  return new Promise((resolve, reject) => {
    const end = (): void => reject(failure());
    signal.addEventListener('abort', end, { once: true });
    const leave = (): void => signal.removeEventListener('abort', end);
    call.then(
      (answer) => {
        leave();
        resolve(answer);
      },
      (error: unknown) => {
        leave();
        reject(error instanceof Error ? error : failure());
      },
    );
  });
}
