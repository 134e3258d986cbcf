import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { reachOf } from "@kit/guard/address";
import { createOutboundGuard } from "@kit/guard/fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulatedBundle } from "../../testing/simulated-bundle.ts";
import { createTestOta } from "../../testing/test-ota.ts";

const run = promisify(execFile);
const NAME = "updates.example";
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  [NAME]: ["127.0.0.1"],
  "inside.example": ["10.0.0.7"],
  "half-inside.example": ["127.0.0.1", "192.168.1.1"],
  "metadata.example": ["169.254.169.254"],
};

let tls: { key: string; cert: string };
let server: Server;
let base: string;
let answer: RequestListener;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "pull-"));
  const at = (name: string) => join(folder, name);
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", `/CN=${NAME}`],
    ...["-addext", `subjectAltName=DNS:${NAME}`, "-keyout", at("key"), "-out", at("cert")],
  ]);
  tls = { key: await readFile(at("key"), "utf8"), cert: await readFile(at("cert"), "utf8") };
  await rm(folder, { recursive: true });
  server = createServer(tls, (request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  base = `https://${NAME}:${address.port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A device that treats 127.0.0.1 as a public address; all other rules are the real ones. */
async function setUp() {
  const requested: string[] = [];
  const guard = createOutboundGuard({
    resolve: async (name) => {
      requested.push(name);
      const addresses = ADDRESSES[name];
      if (!addresses) throw new Error("ENOTFOUND");
      return addresses;
    },
    ownAddresses: () => [],
    classify: (address) => (address === "127.0.0.1" ? "public" : reachOf(address)),
    ca: [tls.cert],
  });
  const device = await createTestOta({ guard });
  const pull = async (url: unknown) => {
    const answered = await device.app.inject({
      method: "POST",
      url: "/api/ota/pull",
      payload: JSON.stringify({ url }),
    });
    return { status: answered.statusCode, body: answered.json() };
  };
  return { ...device, pull, requested };
}

describe("a pull", () => {
  it("downloads, verifies and installs the bundle of the address", async () => {
    answer = (_request, response) => response.end(simulatedBundle());
    const { pull, until, statuses, emitted } = await setUp();
    const { status, body } = await pull(`${base}/bundle`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, in_progress: true, mode: "pull", status: "downloading" });
    await until("success", 10);
    expect(statuses()).toEqual(["downloading", "verifying", "installing", "rebooting", "confirming", "success"]);
    expect(emitted.every(({ mode, in_progress }) => mode === (in_progress ? "pull" : "idle"))).toBe(true);
  });

  it.each([
    ["older", { version: "1.4.9" }, "url: has version 1.4.9, older than the installed 1.5.0"],
    [
      "a pre-release of what runs",
      { version: "1.5.0-rc.1" },
      "url: has version 1.5.0-rc.1, older than the installed 1.5.0",
    ],
    ["without a version", { version: "latest" }, "url: has the version 'latest', which is none"],
    ["with an unknown signature", { isForged: true }, "url: is no bundle with a valid signature"],
    ["for another device", { compatible: "clock" }, "url: is made for 'clock', not for this device"],
  ])("fails for a bundle %s", async (_what, options, error) => {
    answer = (_request, response) => response.end(simulatedBundle(options));
    const { pull, until, ota } = await setUp();
    expect((await pull(`${base}/bundle`)).status).toBe(200);
    await until("failed", 10);
    expect(ota.status()).toMatchObject({ in_progress: false, mode: "idle", error });
  });

  it("accepts the installed version again", async () => {
    answer = (_request, response) => response.end(simulatedBundle({ version: "1.5.0" }));
    const { pull, until } = await setUp();
    await pull(`${base}/bundle`);
    await until("success", 10);
  });

  it("fails when the server closes the connection early", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 100_000 });
      response.write(simulatedBundle().subarray(0, 50_000), () => response.destroy());
    };
    const { pull, until, ota } = await setUp();
    expect((await pull(`${base}/bundle`)).status).toBe(200);
    await until("failed", 0);
    expect(ota.status().error).toBe("url: the connection broke");
  });

  it("a pull of more than 512 MiB is refused before its body is read", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 512 * 1024 * 1024 + 1 });
      response.write("x");
    };
    const { pull, until, ota } = await setUp();
    await pull(`${base}/bundle`);
    await until("failed", 0);
    expect(ota.status().error).toBe("url: must be at most 536870912 bytes");
  });

  it("follows three redirects but not a fourth", async () => {
    answer = ({ url = "" }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end(simulatedBundle());
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    const { pull, until } = await setUp();
    expect(await pull(`${base}/4`)).toEqual({
      status: 400,
      body: { error: "url: must not redirect more than 3 times" },
    });
    expect((await pull(`${base}/3`)).status).toBe(200);
    await until("success", 10);
  });

  it.each([
    ["http://updates.example/", "url: redirect: must start with https:// and a host"],
    ["https://127.0.0.2/", "url: redirect: must lead to a public address"],
    ["https://[::1]/", "url: redirect: must lead to a public address"],
    ["https://169.254.169.254/latest/", "url: redirect: must lead to a public address"],
    ["https://inside.example/", "url: must lead to a public address"],
    ["https://user@updates.example/", "url: redirect: must not contain credentials"],
    ["file:///etc/passwd", "url: redirect: must start with https:// and a host"],
  ])("a pull does not follow a redirect to %s", async (location, error) => {
    answer = (_request, response) => response.writeHead(302, { location }).end();
    const { pull, ota } = await setUp();
    expect(await pull(`${base}/`)).toEqual({ status: 400, body: { error } });
    expect(ota.status().status).toBe("idle");
  });

  it.each([404, 500, 206, 204])("refuses an answer with %i", async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    const { pull, ota } = await setUp();
    expect(await pull(`${base}/`)).toEqual({ status: 400, body: { error: `url: the server answered ${status}` } });
    expect(ota.status().status).toBe("idle");
  });

  it("a pull is refused while another one is in progress, also while that one is still connecting", async () => {
    const waiting: (() => void)[] = [];
    answer = (_request, response) => void waiting.push(() => response.end(simulatedBundle()));
    const { pull, until } = await setUp();
    const first = pull(`${base}/`);
    expect((await pull(`${base}/`)).body).toEqual({ error: "ota: an update is in progress already" });
    await expect.poll(() => waiting).toHaveLength(1);
    for (const proceed of waiting) proceed();
    expect((await first).status).toBe(200);
    await until("success", 10);
  });
});

describe("a pull from a hostile address", () => {
  const ADDRESS = "url: must lead to a public address";
  const HTTPS = "url: must start with https:// and a host";
  it.each([
    ["http://updates.example/", HTTPS],
    ["HTTP://updates.example/", HTTPS],
    ["ftp://updates.example/", HTTPS],
    ["file:///etc/passwd", HTTPS],
    ["data:text/plain,hello", HTTPS],
    ["//updates.example/", HTTPS],
    ["https:/updates.example/", HTTPS],
    ["https://127.0.0.2/", ADDRESS],
    ["https://2130706434/", ADDRESS],
    ["https://0177.0.0.2/", ADDRESS],
    ["https://0x7f.0.0.2/", ADDRESS],
    ["https://127.2/", ADDRESS],
    ["https://%31%32%37%2e0.0.2/", ADDRESS],
    ["https://\uff11\uff12\uff17.\uff10.\uff10.\uff12/", ADDRESS],
    ["https://0.0.0.0/", ADDRESS],
    ["https://10.1.2.3/", ADDRESS],
    ["https://192.168.0.1/", ADDRESS],
    ["https://100.64.0.1/", ADDRESS],
    ["https://169.254.169.254/", ADDRESS],
    ["https://224.0.0.1/", ADDRESS],
    ["https://[::1]/", ADDRESS],
    ["https://[::ffff:10.0.0.1]/", ADDRESS],
    ["https://[fe80::1]/", ADDRESS],
    ["https://[fd00::1]/", ADDRESS],
    ["https://[64:ff9b::7f00:2]/", ADDRESS],
    ["https://localhost/", ADDRESS],
    ["https://printer.local/", ADDRESS],
    ["https://inside.example/", ADDRESS],
    ["https://half-inside.example/", ADDRESS],
    ["https://metadata.example/", ADDRESS],
    ["https://nowhere.example/", "url: the host name was not found"],
    ["https://user:secret@updates.example/", "url: must not contain credentials"],
    ["https://updates.example\\@127.0.0.2/", "url: must not contain spaces, control characters or backslashes"],
    ["https://updates.example/\r\nHost: x", "url: must not contain spaces, control characters or backslashes"],
    ["https://updates.example./", "url: must have a valid host name, without a dot at its end"],
    [`https://updates.example/${"a".repeat(1024)}`, "url: must be a text of 1 to 1024 characters"],
    ["", "url: must be a text of 1 to 1024 characters"],
    [7, "url: must be a text of 1 to 1024 characters"],
    [null, "url: must be a text of 1 to 1024 characters"],
    [undefined, "url: is required"],
  ])("refuses %j and opens no connection", async (url, error) => {
    let isConnected = false;
    answer = (_request, response) => {
      isConnected = true;
      response.end();
    };
    const { pull, ota } = await setUp();
    expect(await pull(url)).toEqual({ status: 400, body: { error } });
    expect(isConnected).toBe(false);
    expect(ota.status().status).toBe("idle");
  });
});
