import type { Page } from "playwright-core";

/**
 * A tab for pages without a framework at the address of the console, to compare it with: what the machine allows at that
 * moment. Only this tab intercepts requests, which takes its cache from a browser.
 */
export async function openBareTab(page: Page, url: string): Promise<Page> {
  const stylesheet = await page.evaluate(
    () => document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")?.href ?? "",
  );
  const bare = await page.context().newPage();
  const serve = (path: string, body: string) =>
    bare.route(`${url}${path}`, (route) => route.fulfill({ contentType: "text/html", body }));
  await serve("/bare-json.html", write(stylesheet, "<pre id=out></pre>", PRINT_JSON));
  await serve("/bare-list.html", write(stylesheet, "<main id=main></main>", RECYCLE_ROWS));
  return bare;
}

function write(stylesheet: string, body: string, script: string): string {
  return `<!doctype html><meta charset=utf-8><link rel=stylesheet href="${stylesheet}"><h1>bare</h1>${body}<script>${script}</script>`;
}

/** Asks for what the hash names and prints it. */
const PRINT_JSON = `
  fetch(decodeURIComponent(location.hash.slice(1))).then((answer) => answer.json()).then((body) => {
    document.getElementById("out").textContent = JSON.stringify(body, null, 1);
    requestAnimationFrame(() => { window.usefulMs = performance.now(); });
  });`;

/** \`start(rows, height)\`: rows of the same markup, each element used again for the row that comes into view. */
const RECYCLE_ROWS = `
  window.start = (samples, rowHeight, total, width, height) => {
    const scroller = document.createElement("div");
    scroller.id = "scroller";
    scroller.style.cssText = "overflow:auto;position:relative;width:" + width + "px;height:" + height + "px";
    scroller.innerHTML = '<div class="list-rows" style="position:relative;height:' + total * rowHeight + 'px;--row-height:' + rowHeight + 'px"></div>';
    document.getElementById("main").replaceChildren(scroller);
    const canvas = scroller.firstElementChild;
    const columns = samples.columns;
    scroller.style.setProperty("--list-columns", columns);
    const texts = (node) => {
      const found = [];
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) found.push(walker.currentNode);
      return found;
    };
    const values = samples.rows.map((html) => { const one = document.createElement("div"); one.innerHTML = html; return texts(one).map((node) => node.nodeValue); });
    const slots = Math.ceil(height / rowHeight) + 12;
    const pool = Array.from({ length: slots }, () => {
      const one = document.createElement("div");
      one.innerHTML = samples.rows[0];
      const row = one.firstElementChild;
      canvas.append(row);
      return { row, nodes: texts(row), index: -1 };
    });
    const draw = () => {
      const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 6);
      for (let index = first; index < Math.min(total, first + slots); index += 1) {
        const slot = pool[index % slots];
        if (slot.index === index) continue;
        slot.index = index;
        slot.row.dataset.row = index;
        slot.row.style.transform = "translateY(" + index * rowHeight + "px)";
        const next = values[index % values.length];
        slot.nodes.forEach((node, at) => { if (node.nodeValue !== next[at]) node.nodeValue = next[at] ?? ""; });
      }
    };
    scroller.addEventListener("scroll", draw);
    draw();
  };`;
