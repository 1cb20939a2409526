// Pages that lose their hub and find it again. Arguments: the browser, the address, a folder, where what has happened is said by a file
// of its name: `open`, then (when somebody has ended the hub) `lost`; then the hub must come back. One line for each fault.
const fs = require('fs');
const path = require('path');
const puppeteer = require('puppeteer-core');

const [browserPath, base, folder] = process.argv.slice(1);
const targets = ['/', '/board/1', '/wall', '/overlay/board/1'];
const later = (ms) => new Promise((done) => setTimeout(done, ms));

// What a page shows: whether it says that it is alone, moves, and times.
const state = (page) => page.evaluate(() => ({
  alone: (document.getElementById('age') || {}).textContent || '',
  board: (document.querySelector('#table-1 .board') || { getAttribute() { return ''; } }).getAttribute('aria-label'),
  revision: Number((document.getElementById('table-1') || { dataset: {} }).dataset.revision || 0),
  clocks: Array.from(document.querySelectorAll('#table-1 .clock')).map((c) => c.textContent),
}));

async function until(what, page, wanted) {
  for (let turn = 0; turn < 200; turn += 1) {
    const now = await state(page).catch(() => null);
    if (now && wanted(now)) return now;
    await later(200);
  }
  throw new Error(`${what}: ${JSON.stringify(await state(page))}`);
}

(async () => {
  const browser = await puppeteer.launch({ executablePath: browserPath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  const pages = [];
  for (const target of targets) {
    const page = await browser.newPage();
    await page.goto(base + target, { waitUntil: 'domcontentloaded' });
    pages.push({ target, page, before: await until(`${target} shows its board`, page, (s) => s.revision > 0 && !s.alone) });
  }
  fs.writeFileSync(path.join(folder, 'open'), '');
  for (const { target, page } of pages) {
    if (target.startsWith('/overlay')) continue;
    await until(`${target} says that it is alone`, page, (s) => s.alone.startsWith('no connection since'));
  }
  // A page of a projector that turns meanwhile does not turn into a page of the browser's own.
  await later(22000);
  for (const one of pages) {
    const now = await state(one.page);
    if (now.revision === 0) throw new Error(`${one.target} lost its board with its connection`);
    if (now.clocks.some((c) => !/^\u2248?\d+:\d\d:\d\d$/.test(c))) throw new Error(`${one.target}: ${now.clocks}`);
    one.alone = now;
  }
  fs.writeFileSync(path.join(folder, 'lost'), '');
  for (const { target, page, alone } of pages) {
    await until(`${target} comes back`, page, (s) => !s.alone && s.revision > alone.revision);
  }
  await browser.close();
  process.exit(0);
})().catch((error) => { console.error(String(error)); process.exit(1); });
