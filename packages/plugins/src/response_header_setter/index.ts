import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { headerEdits, mergedHeaders } from '../shared/header-edits.ts';
import { config } from './config.ts';

/** Removes, renames, sets and adds response headers. */
export const responseHeaderSetter: BuiltIn = builtIn({
  name: 'response_header_setter',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['after_response', 'on_error'],
  description: 'Removes, renames, sets and adds response headers, in this order',
  config,
  setup(settings): PluginHooks {
    const headers = headerEdits({
      remove: [...(settings.remove ?? []), ...(settings.remove_headers ?? [])],
      rename: mergedHeaders(settings.rename, settings.rename_headers),
      set: mergedHeaders(settings.set, settings.headers, settings.set_headers),
      add: mergedHeaders(settings.add, settings.add_headers),
    });
    const edits = Object.freeze({ headers });
    return { response: () => edits, error: () => edits };
  },
});
