/** What the page consists of, as the build made it. */
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

type Asked = Pick<Request, "method" | "mode" | "url">;

const PREFIX = "shell-";
/** A device without power answers nothing at all; nobody should look at a white page for that long. */
const PATIENCE_MS = 4000;

/** `page` for an address that the page itself answers, `file` for what the build made; all else is the device's. */
export function classifyRequest(
  { method, mode, url }: Asked,
  origin: string,
  { files }: Shell,
): "page" | "file" | "other" {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return "other";
  if (address.pathname !== "/" && files.includes(address.pathname)) return "file";
  const isDevice = /^\/(api|ws)(\/|$)/.test(address.pathname) || /\.[^/]*$/.test(address.pathname);
  return mode === "navigate" && !isDevice ? "page" : "other";
}

/** A copy of the page in the browser, so that it opens while the device restarts. Nothing of the device's state is kept. */
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
    /** All of it or nothing: half a page is worse than none. */
    async fill(): Promise<void> {
      await (await caches.open(name)).addAll([...shell.files]);
    },

    async removeFormer(): Promise<void> {
      const former = (await caches.keys()).filter((other) => other.startsWith(PREFIX) && other !== name);
      await Promise.all(former.map((other) => caches.delete(other)));
    },

    /** Undefined: none of our business, the browser asks the device as if we were not there. */
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
