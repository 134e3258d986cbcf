import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { freePort } from "@kit/testing/process";
import { startLoopbackPlayer } from "@player/service/testing/loopback-player";
import { expect, it, onTestFinished } from "vitest";
import { makeCard } from "../card.ts";
import { createPlayerClient, untilScanned } from "../client.ts";

const DASHBOARD = new URL("../../../apps/player-dashboard/dist", import.meta.url).pathname;
const WITHIN_S = 180;
const clock = createClock();

it("takes a phone from the set-up network of a new player to sound within three minutes", async () => {
  const setupPort = await freePort();
  const cardFolder = await makeCard({ reciters: { Husary: [1, 112] }, seconds: 30 });
  const player = await startLoopbackPlayer({ dashboardFolder: DASHBOARD, cardFolder, setupPort, isNew: true });
  onTestFinished(() => player.close());
  const client = await createPlayerClient(player);
  onTestFinished(() => client.close());
  await untilScanned(client);
  // In the set-up network every name leads to the player.
  const browser = await launchBrowser({ args: [`--host-resolver-rules=MAP captive.apple.com 127.0.0.1:${setupPort}`] });
  onTestFinished(() => browser.close());
  const phone = await browser.newContext({
    locale: "en-GB",
    ignoreHTTPSErrors: true,
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  const page = await phone.newPage();
  const arrive = (title: string) => page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  const press = (name: string | RegExp) =>
    page
      .getByRole("main")
      .getByRole("button", { name, exact: typeof name === "string" })
      .click();

  const beganMs = clock.monotonicMs();
  // The phone opens its sheet with the address of its probe.
  await page.goto("http://captive.apple.com/hotspot-detect.html");
  await arrive("You are connected to the player");
  await page.getByRole("link", { name: "Continue" }).click();
  await arrive("Open the player");
  await page.goto("http://captive.apple.com/hotspot-detect.html");
  expect(await page.textContent("body")).toBe("Success");
  await page.goBack();
  await page.getByRole("link", { name: /^https:/ }).click();

  await page.waitForURL("**/welcome");
  await press("English");
  await page.getByText("If the screen shows two QR codes, scan the second one.").waitFor();
  // The second QR code on the player's screen has the token behind the #.
  await page.goto("about:blank");
  await page.goto(`${player.url}/#${client.token}`);
  await press("English");
  await arrive("Connect the player to your Wi-Fi");
  await press(/^Home/);
  await page.getByLabel("Password", { exact: true }).fill("wrong-password");
  await press("Connect");
  await page.getByText("Could not connect to “\u2068Home\u2069”.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill("correct horse");
  await press("Connect");
  await page.getByText("Connected to “\u2068Home\u2069”.").waitFor();
  expect(await page.getByRole("link", { name: "Continue on the new network" }).getAttribute("href")).toMatch(
    new RegExp(`^https://.+\\.local:${player.port}/#${client.token}$`),
  );
  await press("Next");

  await arrive("Where is the player?");
  await page.getByRole("searchbox").fill("cair");
  await press(/^Cairo/);
  await press("Use this location");
  await arrive("Is this the right time?");
  await press("Next");
  await arrive("Play the adhan at prayer times?");
  await press("Yes, play the adhan");
  await press("Next");
  await arrive("The player is ready");
  await press("Start listening");

  await page.getByRole("navigation").getByRole("link", { name: "Library" }).click();
  await page.getByRole("link", { name: /Husary/ }).click();
  await page.getByRole("button", { name: /^Play .*Al-Ikhlas/ }).click();
  const isPlaying = { state: "playing", surah_number: 112 };
  const status = async () => (await client.get("/api/playback/status")).body;
  await expect.poll(status, { timeout: 30_000 }).toMatchObject(isPlaying);
  const seconds = (clock.monotonicMs() - beganMs) / 1000;
  console.info(`new device to sound: ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(WITHIN_S);
  // Its own network and the page are closed.
  await expect(fetch(`http://127.0.0.1:${setupPort}/`)).rejects.toThrow();
  expect((await client.get("/api/settings")).body).toMatchObject({ ssid: "Home", wifi_connected: true });
}, 240_000);
