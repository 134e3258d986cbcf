/** The files of this build. */
export interface Shell {
  version: string;
  /** Addresses; `/` is the page itself. */
  files: readonly string[];
}

export interface ShellCacheDeps {
  shell: Shell;
  /** Where the device serves the page. */
  origin: string;
  caches: Pick<CacheStorage, "open" | "keys" | "delete">;
  fetch: (request: Request, options?: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
}

type CacheRequest = Pick<Request, "method" | "mode" | "url">;

const PREFIX = "shell-";
/** A device without power does not respond at all; a blank page for longer is not acceptable. */
const PATIENCE_MS = 4000;

/** `page` for an address of the dashboard, `file` for a file of the build; `other` goes to the device. */
export function classifyRequest(
  { method, mode, url }: CacheRequest,
  origin: string,
  { files }: Shell,
): "page" | "file" | "other" {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return "other";
  if (address.pathname !== "/" && files.includes(address.pathname)) return "file";
  const isDevice = /^\/(api|ws)(\/|$)/.test(address.pathname) || /\.[^/]*$/.test(address.pathname);
  return mode === "navigate" && !isDevice ? "page" : "other";
}

/** Caches the page in the browser, so that it opens while the device restarts. It caches no device state. */
export function createShellCache({ shell, origin, caches, fetch, deadline }: ShellCacheDeps) {
  const name = `${PREFIX}${shell.version}`;

  async function kept(address: string): Promise<Response | undefined> {
    return (await caches.open(name)).match(address);
  }

  async function page(request: Request): Promise<Response> {
    const copy = await kept("/");
    if (!copy) return fetch(request);
    return fetch(request, { signal: deadline(PATIENCE_MS) }).then(
      (answer) => (answer.ok ? answer : copy),
      () => copy,
    );
  }

  return {
    /** All files or none: an incomplete page is worse than none. */
    async fill(): Promise<void> {
      await (await caches.open(name)).addAll([...shell.files]);
    },

    async removeFormer(): Promise<void> {
      const former = (await caches.keys()).filter((other) => other.startsWith(PREFIX) && other !== name);
      await Promise.all(former.map((other) => caches.delete(other)));
    },

    /** Undefined: the browser handles the request without the cache. */
    answer(request: Request): Promise<Response> | undefined {
      const kind = classifyRequest(request, origin, shell);
      switch (kind) {
        case "page":
          return page(request);
        case "file":
          return kept(new URL(request.url).pathname).then((copy) => copy ?? fetch(request));
        case "other":
          return undefined;
        default:
          return kind satisfies never;
      }
    },
  };
}
