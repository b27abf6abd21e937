import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startStack } from './support/stack.ts';

const browserPath = process.env['PORTCULLIS_TEST_CHROMIUM'];

/** Keeps the browser from calling home, so that every connection that is seen is the page's. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe.skipIf(browserPath === undefined)('the docs page in a browser (PORTCULLIS_TEST_CHROMIUM)', () => {
  it('shows the operations and asks no address but the control plane', async () => {
    await using stack = await startStack();
    const browser = await chromium.launch({ executablePath: browserPath ?? '', args: quiet });
    try {
      const page = await browser.newPage();
      const asked = new Set<string>();
      const errors: string[] = [];
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.goto(`${stack.adminUrl}/docs`);
      await page.getByText('Log in with a user name and a password').first().waitFor();
      // Operations and schemas are drawn as they come into view; the first schemas of the list are there at once.
      await page.getByText('TenantList', { exact: true }).first().waitFor({ state: 'attached' });
      expect([...asked].filter((origin) => origin !== 'null' && origin !== stack.adminUrl)).toEqual([]);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
