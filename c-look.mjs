import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from './scripts/chromium.mjs';
const [address, ...steps] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGS] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.on('pageerror', (e) => console.log('ERROR', e.message));
page.setDefaultTimeout(60000);
await page.goto(address);
for (const step of steps) {
  const [verb, ...rest] = step.split(':'); const arg = rest.join(':');
  try {
    if (verb === 'go') await page.goto(address + arg);
    if (verb === 'b') await page.getByRole('button', { name: arg, exact: true }).first().click();
    if (verb === 'bb') await page.getByRole('button', { name: new RegExp(arg) }).first().click();
    if (verb === 't') await page.getByText(arg, { exact: true }).first().click();
    if (verb === 'tab') await page.getByRole('tab', { name: new RegExp(arg) }).first().click();
    if (verb === 'wait') await page.waitForTimeout(Number(arg));
    if (verb === 'key') await page.keyboard.press(arg);
    if (verb === 'shot') await page.screenshot({ path: `/tmp/c-look/${arg}.png` });
    if (verb === 'aria') console.log(`--- ${step}\n` + await page.locator(arg || 'body').first().ariaSnapshot());
  } catch (e) { console.log('FAILED', step, e.message.split('\n')[0]); }
}
await browser.close();
