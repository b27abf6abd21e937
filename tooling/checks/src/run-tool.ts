import { spawn } from 'node:child_process';

/** How a tool ended. */
export interface ToolResult {
  /** Null when a signal ended it, or when it could not be started. */
  readonly code: number | null;
  /** Both streams; empty when they were shown. */
  readonly output: string;
}

const OUTPUT_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Runs one of the repository's tools (`node_modules/.bin`) to its end. Never rejects. */
export function runTool(
  root: string,
  tool: string,
  args: readonly string[],
  options: { readonly show?: boolean } = {},
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const stream = options.show === true ? 'inherit' : 'pipe';
    const child = spawn(`${root}/node_modules/.bin/${tool}`, args, { cwd: root, stdio: ['ignore', stream, stream] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_CHARACTERS_MAX);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
