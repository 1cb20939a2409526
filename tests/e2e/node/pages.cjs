// Looks at pages as a reader does: at three sizes and in narrow windows, with a keyboard, and with the rules of axe-core (contrast,
// names, roles, targets large enough for a finger).
// Arguments: the browser, the address, a folder for pictures or "-", then a path for each page. One JSON line for each fault.
const fs = require('fs');
const path = require('path');
const puppeteer = require('puppeteer-core');

const [browserPath, base, pictures, ...pages] = process.argv.slice(1);
const sizes = [[1920, 1080], [1280, 720], [390, 844]];
const narrow = [[320, 568], [640, 360]]; // the second is 1280 by 720, twice as large
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
let faults = 0;

function fault(page, size, what) {
  faults += 1;
  console.log(JSON.stringify({ page, size: size.join('x'), what }));
}

// What can be reached with the tabulator key, and whether one sees where one is.
async function keyboard(page) {
  const wanted = await page.evaluate(() => Array.from(
    document.querySelectorAll('a[href], button, input:not([type=hidden]), summary')).filter((e) => e.getClientRects().length).length);
  const seen = new Set();
  const unseen = [];
  for (let turn = 0; turn < wanted + 3 && turn < 60; turn += 1) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(() => {
      const all = Array.from(document.querySelectorAll('a[href], button, input:not([type=hidden]), summary'));
      const at = document.activeElement;
      const style = getComputedStyle(at);
      return { index: all.indexOf(at), name: at.outerHTML.slice(0, 80),
        outlined: [style, getComputedStyle(at, '::after')].some((s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1) };
    });
    if (now.index >= 0) {
      seen.add(now.index);
      if (!now.outlined) unseen.push(now.name);
    }
  }
  const faults = unseen.map((name) => `no visible focus: ${name}`);
  if (seen.size < Math.min(wanted, 57)) faults.push(`${seen.size} of ${wanted} reached by keyboard`);
  return faults;
}

// Nothing is wider than the window, and of what stands in a box of its own nothing is cut off.
async function fits(page, target, size) {
  await page.setViewport({ width: size[0], height: size[1] });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) fault(target, size, `wider than the window by ${wide} pixels`);
  const cut = await page.evaluate(() => Array.from(document.querySelectorAll('.clock, .last, .result, h1, .name, .state, .delay'))
    .filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
    .map((e) => e.outerHTML.slice(0, 80)));
  for (const what of cut.slice(0, 3)) fault(target, size, `cut off: ${what}`);
  const apart = await page.evaluate(() => {
    const box = (e) => e.getBoundingClientRect();
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return Array.from(document.querySelectorAll('.card, .large, .element')).flatMap((card) => {
      const parts = Array.from(card.querySelectorAll('.clock, .name, .move, .last, .state, .result, .flag, .rating, .board'))
        .filter((e) => e.textContent && box(e).width && !e.querySelector('.move'));
      return parts.flatMap((a, i) => parts.slice(i + 1).filter((b) => !a.contains(b) && over(box(a), box(b)))
        .map((b) => `${a.getAttribute('class')} over ${b.getAttribute('class')}: ${a.textContent} ${b.textContent}`.slice(0, 120)));
    });
  });
  for (const what of apart.slice(0, 3)) fault(target, size, `overlaps: ${what}`);
}

(async () => {
  const browser = await puppeteer.launch({ executablePath: browserPath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  for (const target of pages) {
    const overlay = target.startsWith('/overlay');
    for (const size of sizes) {
      const page = await browser.newPage();
      await page.setViewport({ width: size[0], height: size[1] });
      await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      page.on('response', (answer) => {
        if (answer.status() >= 400 && !answer.url().endsWith(target)) fault(target, size, `${answer.status()}: ${answer.url()}`);
      });
      page.on('pageerror', (error) => fault(target, size, `script: ${error.message}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(base) && !request.url().startsWith('data:')) fault(target, size, `asks elsewhere: ${request.url()}`);
      });
      await page.goto(base + target, { waitUntil: 'domcontentloaded' });
      await new Promise((later) => setTimeout(later, 700));
      if (pictures !== '-') {
        const name = `${target.replace(/[^a-z0-9]+/gi, '_')}_${size.join('x')}.png`;
        await page.screenshot({ path: path.join(pictures, name), omitBackground: overlay });
      }
      await fits(page, target, size);
      await page.evaluate(axe);
      const rules = overlay ? ['wcag2a', 'wcag2aa'] : ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const found = await page.evaluate((tags) => window.axe.run({ runOnly: tags }), rules);
      for (const rule of found.violations) {
        // An overlay is laid over a picture by a program: it is no page to be read alone.
        if (overlay && rule.id === 'color-contrast') continue;
        for (const node of rule.nodes.slice(0, 3)) fault(target, size, `${rule.id}: ${node.target.join(' ')} ${node.failureSummary.replace(/\s+/g, ' ').slice(0, 200)}`);
      }
      if (!overlay) for (const words of await keyboard(page)) fault(target, size, words);
      if (!overlay && size === sizes[2]) for (const other of narrow) await fits(page, target, other);
      await page.close();
    }
  }
  await browser.close();
  console.log(JSON.stringify({ pages: pages.length, faults }));
  process.exit(faults === 0 ? 0 : 1);
})().catch((error) => { console.error(error); process.exit(2); });
