const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const toText = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

const frame = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}</head><body><main><p>${body}</p></main></body></html>`;

/**
 * Redirects from a page of this site, because a browser does not send a strict cookie after a redirect from another
 * site.
 */
export function formatReturnPage(next: string): string {
  const path = toText(next);
  return frame(
    `<title>Signed in</title><meta http-equiv="refresh" content="0;url=${path}">`,
    `Signed in. <a href="${path}">Go on</a>`,
  );
}

export function formatRefusalPage(detail: string): string {
  return frame(
    "<title>Not signed in</title>",
    `Not signed in: ${toText(detail)}. <a href="/sign-in">Sign in again</a>`,
  );
}

/** A path of this site, and nothing that a browser could interpret as another site. */
export function isLocalPath(path: string): boolean {
  const base = "https://soc.invalid";
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || !URL.canParse(path, base)) return false;
  return new URL(path, base).origin === base;
}
