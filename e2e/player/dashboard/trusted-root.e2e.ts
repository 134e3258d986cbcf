import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launchBrowser } from "@kit/testing/browser";
import { freePort } from "@kit/testing/process";
import { issueForeignCertificate } from "@player/service/testing/foreign-certificate";
import { startLoopbackPlayer } from "@player/service/testing/loopback-player";
import { expect, it, onTestFinished } from "vitest";

const run = promisify(execFile);
const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
// The program with which a person makes Chromium trust an authority on Linux.
const CERTUTIL = "certutil";
const hasCertutil = spawnSync(CERTUTIL, ["--help"]).error === undefined;

/** A home folder in which the browser trusts the device's root. */
async function trustRoot(dataFolder: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "home-"));
  const folder = join(home, ".pki", "nssdb");
  await mkdir(folder, { recursive: true });
  const { cert } = JSON.parse(await readFile(join(dataFolder, "tls", "ca.json"), "utf8"));
  await writeFile(join(home, "ca.pem"), cert);
  await run(CERTUTIL, ["-N", "-d", `sql:${folder}`, "--empty-password"]);
  await run(CERTUTIL, ["-A", "-d", `sql:${folder}`, "-t", "C,,", "-n", "manara", "-i", join(home, "ca.pem")]);
  return home;
}

async function serveForeign(dataFolder: string, name: string): Promise<number> {
  const server = createServer(await issueForeignCertificate(dataFolder, name), (_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>foreign</title>");
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return port;
}

it.runIf(hasCertutil)(
  "lets a browser trust the root for the player but for no site of the internet",
  async () => {
    const player = await startLoopbackPlayer({ dashboardFolder: DASHBOARD });
    onTestFinished(() => player.close());
    const { dataFolder } = player;
    const browser = await launchBrowser({
      home: await trustRoot(dataFolder),
      args: ["--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.local 127.0.0.1"],
    });
    onTestFinished(() => browser.close());
    const page = await (await browser.newContext()).newPage();
    await page.goto(player.url);
    await page.locator("h1").first().waitFor();

    // The same key for a name of the local network works, so that the refusal below is due to the name alone.
    const local = await serveForeign(dataFolder, "other.local");
    await page.goto(`https://other.local:${local}/`);
    expect(await page.title()).toBe("foreign");
    const shop = await serveForeign(dataFolder, "shop.example");
    await expect(page.goto(`https://shop.example:${shop}/`)).rejects.toThrow(/ERR_CERT/);
  },
  120_000,
);
