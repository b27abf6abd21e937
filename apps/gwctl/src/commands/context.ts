import { readContexts } from '../contexts/context-file.ts';
import type { Context } from '../contexts/context-file.ts';
import { unknownContext } from '../contexts/choose-context.ts';
import { readEnvironment } from '../contexts/environment.ts';
import { redactToken } from '../contexts/redact-token.ts';
import { updateContexts } from '../contexts/update-contexts.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument, printOutcome } from '../output/document.ts';
import { fieldTable, table } from '../output/table.ts';

function shown(name: string, context: Context, current: string | null) {
  return {
    name,
    current: name === current,
    api_url: context.api_url,
    tenant_id: context.tenant_id ?? null,
    token: redactToken(context.token),
    expires_at: context.expires_at ?? null,
    renews: context.refresh_token !== undefined,
  };
}

/** Prints all contexts. */
export async function listContexts(options: GlobalOptions): Promise<number> {
  const { current, contexts } = readContexts();
  const items = Object.entries(contexts).map(([name, context]) => shown(name, context, current));
  await printDocument(options.outputFormat, { items }, () =>
    table(
      ['current', 'name', 'api url', 'tenant', 'token'],
      items.map((item) => [item.current ? '*' : '', item.name, item.api_url, item.tenant_id, item.token]),
    ),
  );
  return exitCodes.done;
}

/** Prints one context: the named or the current one. */
export async function showContext(options: GlobalOptions, name: string | undefined): Promise<number> {
  const { current, contexts } = readContexts();
  const wanted = name ?? options.context ?? readEnvironment().context ?? current;
  if (wanted === null) throw new CommandFailure('no context is current: run gwctl login or gwctl context use NAME');
  const document = shown(wanted, found(contexts, wanted), current);
  await printDocument(options.outputFormat, document, () => fieldTable(document));
  return exitCodes.done;
}

/** Makes a context the current one. */
export async function useContext(options: GlobalOptions, name: string): Promise<number> {
  await updateContexts((stored) => {
    found(stored.contexts, name);
    return { ...stored, current: name };
  });
  await printOutcome(options.outputFormat, { context: name, current: true }, `context ${name} is now current`);
  return exitCodes.done;
}

/** Removes a context with its token. */
export async function deleteContext(options: GlobalOptions, name: string): Promise<number> {
  let wasCurrent = false;
  await updateContexts((stored) => {
    const { contexts, current } = stored;
    found(contexts, name);
    wasCurrent = current === name;
    const kept = Object.fromEntries(Object.entries(contexts).filter(([other]) => other !== name));
    return { ...stored, current: wasCurrent ? null : current, contexts: kept };
  });
  const sentence = `context ${name} is deleted${wasCurrent ? '; none is current now' : ''}`;
  await printOutcome(options.outputFormat, { context: name, deleted: true }, sentence);
  return exitCodes.done;
}

function found(contexts: Readonly<Record<string, Context>>, name: string): Context {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (!context) throw unknownContext(name, Object.keys(contexts));
  return context;
}
