import type { Page } from "playwright-core";

/** Lists, one per line, each place where the page treats an attacker's text as markup or code. */
export async function findHostile(page: Page): Promise<string[]> {
  return [...(await page.evaluate(findElements)), ...(await page.evaluate(findAddresses)), ...(await findUnseen(page))];
}

/** Elements that the console has none of, and handlers as attributes. */
function findElements(): string[] {
  const FOREIGN =
    "iframe, object, embed, base, form[action], video, audio, marquee, math, meta, script, style, link, img, template";
  const withHandler = [...document.body.querySelectorAll("*")].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on")),
  );
  return [...document.body.querySelectorAll(FOREIGN), ...withHandler].map(
    (element) => `element: ${element.outerHTML.slice(0, 120)}`,
  );
}

/** Links and sources that lead out of the console, or run. */
function findAddresses(): string[] {
  const NAMES = ["href", "src", "action", "formaction", "xlink:href", "data"];
  return [...document.body.querySelectorAll("*")].flatMap((element) =>
    NAMES.filter((name) => {
      const address = element.getAttribute(name);
      return address !== null && new URL(address, location.href).origin !== location.origin;
    }).map((name) => `${name}: ${element.outerHTML.slice(0, 120)}`),
  );
}

/** Controls of direction, signs without width and others that cannot be seen: the console writes them as ⟨U+202E⟩. */
const UNSEEN = String.raw`[\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\u00ad\u3164\u{e0000}-\u{e007f}\u0007]`;

function findUnseen(page: Page): Promise<string[]> {
  return page.evaluate((pattern) => {
    const unseen = new RegExp(pattern, "u");
    const texts: { text: string; place: string }[] = [{ text: document.title, place: "title of the window" }];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode;
      // A field cannot write them out; they are named below it.
      if (
        parentElement instanceof HTMLTextAreaElement &&
        parentElement.closest(".field")?.querySelector(".field-signs")
      )
        continue;
      texts.push({ text: nodeValue ?? "", place: `<${parentElement?.localName} class="${parentElement?.className}">` });
    }
    for (const element of document.body.querySelectorAll("[title], [aria-label]"))
      for (const name of ["title", "aria-label"])
        texts.push({ text: element.getAttribute(name) ?? "", place: `${name} of ${element.outerHTML.slice(0, 60)}` });
    // The console isolates outside texts by these two signs; what is between them must not have any.
    const withoutIsolation = (text: string) => text.replace(/[\u2066\u2068]([^\u2066-\u2069]*)\u2069/gu, "$1");
    return texts
      .filter(({ text }) => unseen.test(withoutIsolation(text)))
      .map(({ text, place }) => `unseen sign: ${JSON.stringify(text.slice(0, 60))} in ${place}`);
  }, UNSEEN);
}

/** The numbers of the payloads that the page shows. */
export function findShownPayloads(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...(document.querySelector("main")?.textContent ?? "").matchAll(/ p(\d+)\./g)].map(([, at]) => Number(at)),
  );
}

/** Scrolls all that scrolls by most of what is seen. Answers whether something moved. */
export function scrollOn(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const moved = [...document.querySelectorAll("main, main *")]
      .filter((element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowY))
      .filter((element) => element.scrollTop + element.clientHeight < element.scrollHeight - 1);
    for (const element of moved) element.scrollTop += element.clientHeight * 0.8;
    return moved.length > 0;
  });
}
