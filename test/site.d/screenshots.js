// Writes docs/screenshots: each type of page on a screen and on a phone. Pictures of records are
// left out, because they are on other hosts.
import { mkdirSync, rmSync } from "node:fs";
import { addressOf, bundled, launch, repository, types } from "./lib.js";

const into = `${repository}/docs/screenshots`;
rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });

const kinds = [["en", "light", "desktop"], ["zh-hant", "dark", "phone"], ["ja", "dark", "desktop"], ["es", "light", "phone"]];
const browser = await launch();
for (const [i, type] of types.entries()) {
  // Two of the four variants for each type, so that all variants occur in a small set.
  for (const [language, colorScheme, screen] of [kinds[i % 2 ? 2 : 0], kinds[i % 2 ? 3 : 1]]) {
    const viewport = screen === "phone" ? { width: 390, height: 780 } : { width: 1120, height: 720 };
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    await context.route((url) => url.origin !== bundled, (route) => route.abort());
    const page = await context.newPage();
    await page.goto(addressOf(bundled, type, language));
    await page.screenshot({ path: `${into}/${type.replaceAll(" ", "-")}-${language}-${colorScheme}-${screen}.png` });
    await context.close();
  }
}
await browser.close();
