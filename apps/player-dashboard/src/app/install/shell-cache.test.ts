import { describe, expect, it } from "vitest";
import { classifyRequest, createShellCache } from "./shell-cache.ts";

const ORIGIN = "https://player.local";
const SHELL = { version: "b2", files: ["/", "/assets/index-1.js"] };

function asked(path: string, mode: RequestMode = "navigate", method = "GET") {
  return { url: new URL(path, ORIGIN).href, mode, method };
}

describe("the kind of a request", () => {
  it.each([
    ["/", "page"],
    ["/library", "page"],
    ["/settings/install?x=1", "page"],
    ["/apiary", "page"],
    ["/assets/index-1.js", "file"],
    ["/assets/index-0.js", "other"],
    ["/api", "other"],
    ["/api/system", "other"],
    ["/ws", "other"],
    ["/ca.crt", "other"],
    ["/sw.js", "other"],
    ["https://elsewhere.example/", "other"],
  ])("classifies %s as %s", (path, kind) => {
    expect(classifyRequest(asked(path), ORIGIN, SHELL)).toBe(kind);
  });

  it("classifies other navigations and methods as other", () => {
    expect(classifyRequest(asked("/library", "cors"), ORIGIN, SHELL)).toBe("other");
    expect(classifyRequest(asked("/", "cors"), ORIGIN, SHELL)).toBe("other");
    expect(classifyRequest(asked("/", "navigate", "POST"), ORIGIN, SHELL)).toBe("other");
    expect(classifyRequest(asked("/assets/index-1.js", "cors", "HEAD"), ORIGIN, SHELL)).toBe("other");
  });
});

function createWorld(fetch: (path: string) => Promise<Response>) {
  const stores = new Map<string, Map<string, string>>();
  const asking: string[] = [];
  const get = (path: string) => {
    asking.push(path);
    return fetch(path);
  };
  const caches = {
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    open: async (name: string) => {
      const store = stores.get(name) ?? new Map<string, string>();
      stores.set(name, store);
      return {
        match: async (path: string) => (store.has(path) ? new Response(store.get(path)) : undefined),
        addAll: async (paths: string[]) => {
          for (const path of paths) store.set(path, await (await get(path)).text());
        },
      } as unknown as Cache;
    },
  };
  const cache = createShellCache({
    shell: SHELL,
    origin: ORIGIN,
    caches,
    fetch: (request) => get(new URL(request.url).pathname),
    deadline: () => new AbortController().signal,
  });
  const answer = async (path: string, mode: RequestMode = "navigate") =>
    (await cache.answer(asked(path, mode) as Request))?.text();
  return { cache, answer, stores, asking };
}

describe("the copy of the page", () => {
  it("serves the files of its build without a request to the device", async () => {
    const { cache, answer, asking } = createWorld(async (path) => new Response(`new ${path}`));
    await cache.fill();
    asking.length = 0;
    expect(await answer("/assets/index-1.js", "cors")).toBe("new /assets/index-1.js");
    expect(asking).toEqual([]);
  });

  it("serves the device's page, and the cached one when the device does not answer or fails", async () => {
    let device: () => Promise<Response> = async () => new Response("kept");
    const { cache, answer } = createWorld(() => device());
    await cache.fill();
    device = async () => new Response("fresh");
    expect(await answer("/library")).toBe("fresh");
    device = async () => new Response("too many requests", { status: 429 });
    expect(await answer("/library")).toBe("kept");
    device = () => Promise.reject(new TypeError("Failed to fetch"));
    expect(await answer("/library")).toBe("kept");
  });

  it("requests the page from the device when the cache is empty, and passes its result on", async () => {
    const { answer } = createWorld((path) =>
      path === "/" ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(new Response(`new ${path}`)),
    );
    expect(await answer("/assets/index-1.js", "cors")).toBe("new /assets/index-1.js");
    await expect(answer("/")).rejects.toThrow("Failed to fetch");
  });

  it("leaves everything else to the browser", async () => {
    const { cache, asking } = createWorld(async () => new Response());
    expect(cache.answer(asked("/api/system", "cors") as Request)).toBeUndefined();
    expect(asking).toEqual([]);
  });

  it("removes the copies of former builds and nothing else", async () => {
    const { cache, stores } = createWorld(async () => new Response());
    for (const name of ["shell-a1", "other"]) stores.set(name, new Map());
    await cache.fill();
    await cache.removeFormer();
    expect([...stores.keys()]).toEqual(["other", "shell-b2"]);
  });
});
