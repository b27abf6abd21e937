/** koa-compose brings no types; this is what the benchmark uses of it. */
declare module 'koa-compose' {
  export default function compose<Context>(
    middleware: readonly ((context: Context, next: () => Promise<void>) => Promise<void>)[],
  ): (context: Context) => Promise<void>;
}
