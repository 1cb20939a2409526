// Looks at pages as a reader does: at three sizes, with a keyboard, and with the rules of axe-core (contrast, names, roles).
// Arguments: the browser, the address, a folder for pictures or "-", then a path for each page. One JSON line for each fault.
const fs = require('fs');
const path = require('path');
const puppeteer = require('puppeteer-core');

const [browserPath, base, pictures, ...pages] = process.argv.slice(1);
const sizes = [[1920, 1080], [1280, 720], [390, 844]];
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
let faults = 0;

function fault(page, size, what) {
  faults += 1;
  console.log(JSON.stringify({ page, size: size.join('x'), what }));
}

// What can be reached with the tabulator key, and whether one sees where one is.
async function keyboard(page) {
  const wanted = await page.evaluate(() => Array.from(
    document.querySelectorAll('a[href], button, input:not([type=hidden]), summary')).length);
  const seen = new Set();
  const unseen = [];
  for (let turn = 0; turn < wanted + 3 && turn < 60; turn += 1) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(() => {
      const all = Array.from(document.querySelectorAll('a[href], button, input:not([type=hidden]), summary'));
      const at = document.activeElement;
      const style = getComputedStyle(at);
      return { index: all.indexOf(at), name: at.outerHTML.slice(0, 80),
        outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 };
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

(async () => {
  const browser = await puppeteer.launch({ executablePath: browserPath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  for (const target of pages) {
    const overlay = target.startsWith('/overlay');
    for (const size of sizes) {
      const page = await browser.newPage();
      await page.setViewport({ width: size[0], height: size[1] });
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
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) fault(target, size, `wider than the window by ${wide} pixels`);
      await page.evaluate(axe);
      const rules = overlay ? ['wcag2a', 'wcag2aa'] : ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'];
      const found = await page.evaluate((tags) => window.axe.run({ runOnly: tags }), rules);
      for (const rule of found.violations) {
        // An overlay is laid over a picture by a program: it is no page to be read alone.
        if (overlay && rule.id === 'color-contrast') continue;
        for (const node of rule.nodes.slice(0, 3)) fault(target, size, `${rule.id}: ${node.target.join(' ')} ${node.failureSummary.replace(/\s+/g, ' ').slice(0, 200)}`);
      }
      if (!overlay) for (const words of await keyboard(page)) fault(target, size, words);
      await page.close();
    }
  }
  await browser.close();
  console.log(JSON.stringify({ pages: pages.length, faults }));
  process.exit(faults === 0 ? 0 : 1);
})().catch((error) => { console.error(error); process.exit(2); });
