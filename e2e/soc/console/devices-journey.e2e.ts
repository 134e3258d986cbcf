import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import { freePort } from "@kit/testing/process";
import { openRequestJournal } from "@soc/service/testing/fixtures/request-journal";
import { createSimulatedDevice } from "@soc/service/testing/fixtures/simulated-device";
import { type MosquittoServer, prepareMosquitto } from "@soc/service/testing/servers/mosquitto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { isFull } from "../../counts.ts";
import { type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { type EnrolledDevice, enrolDevice } from "./enrol-device.ts";
import { createRetryingClient, done } from "./retrying-client.ts";
import { disableAgents } from "./seed.ts";
import { visit } from "./visit.ts";

// A real browser, service, PostgreSQL and Mosquitto: a person enrols, judges, joins and revokes; the device is simulated.

const NAME = "hall-player";
const CLEAN = { axe: [], small: [], cut: [] };
const STARTED_MS = 240_000;
const WITHIN = { timeout: 90_000, interval: 300 };
const clock = createClock();

let database: TestDatabase;
let mosquitto: MosquittoServer;
let soc: StartedSoc;
let browser: Browser;
let admin: StartedSoc["client"];
let devicesPort: number;

beforeAll(async () => {
  [database, mosquitto, browser, devicesPort] = await Promise.all([
    startDatabase(),
    prepareMosquitto({ isQuiet: true }),
    launchBrowser(),
    freePort(),
  ]);
  soc = await startSoc(database.url, {
    SOC_DATABASE_ANSWER_MS: "15000",
    SOC_DEVICES_HOST: "127.0.0.1",
    SOC_DEVICES_PORT: String(devicesPort),
    SOC_DEVICES_NAMES: "localhost",
    SOC_MQTT_URL: mosquitto.url,
    SOC_BROKER_DIR: mosquitto.folder,
    SOC_BROKER_PID_FILE: mosquitto.pidFile,
  });
  admin = createRetryingClient(soc.client);
  await disableAgents(admin);
  // The platform writes the files of the broker within seconds.
  const deadline = clock.deadline(WITHIN.timeout);
  while (!existsSync(join(mosquitto.folder, "crl.pem"))) await clock.sleep(WITHIN.interval, deadline);
  await mosquitto.start();
}, STARTED_MS);
afterAll(async () => {
  await browser?.close();
  await soc?.service.stop();
  await mosquitto?.remove();
  await database?.remove();
});

/** A device whose firmware is in no catalog. */
async function startTampered(issued: EnrolledDevice) {
  const folder = await mkdtemp(join(tmpdir(), "device-"));
  const journal = await openRequestJournal(join(folder, "requests"));
  const device = createSimulatedDevice({
    device: { id: issued.device_id, cert: issued.certificate, key: issued.key, behaviour: "tampered" },
    broker: { host: "localhost", port: mosquitto.port, ca: issued.authority },
    ...{ journal, stored: [], slowMs: 0, random: () => 0.5, clock },
    takeTurn: async (work) => work(),
    count: () => undefined,
  });
  onTestFinished(async () => {
    await device.close();
    await rm(folder, { recursive: true, force: true });
  });
  device.start();
  await expect.poll(() => device.isConnected(), WITHIN).toBe(true);
  return device;
}

/** Creates a code in the page and returns it; it is shown once. */
async function createCode(page: Page): Promise<string> {
  await page.getByRole("heading", { name: "Devices" }).waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(NAME);
  await page.keyboard.press("Enter");
  const code = dialog.getByRole("region", { name: "Code", exact: true });
  await code.getByText(/^Expires in /).waitFor();
  const text = await code.locator("bdi").first().textContent();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  expect(await page.getByText(text ?? "").count()).toBe(0);
  return text ?? "";
}

it("enrols a device with a code, finds it untrusted, links it to a case and revokes it with a proof", async () => {
  const { page, complaints } = await visit(browser, { url: soc.service.url, path: "/devices" });
  const issued = await enrolDevice(devicesPort, await createCode(page));
  const device = await startTampered(issued);

  // An analyst requests the attestation from the device's page; the reason of the verdict appears without a reload.
  await page.goto(`${soc.service.url}/devices/${issued.device_id}`);
  await page.getByText("has not attested yet").waitFor();
  await page.keyboard.press("a");
  await page.getByText(/^Requested\./).waitFor();
  await page
    .getByText(/not in the firmware catalog/)
    .first()
    .waitFor({ timeout: WITHIN.timeout });
  const { items } = await done(admin.get(`/cps/attestations?device_id=${issued.device_id}`));
  expect(items[0]).toMatchObject({ kind: "software", verdict: "untrusted" });
  await page.getByText("untrusted").first().waitFor();
  expect(await audit(page)).toEqual(CLEAN);

  // A sensor reports the same host: both are one story, and one key makes a case of it.
  await done(
    admin.post("/alerts", { title: `Wrong tokens at ${NAME}`, source: "player", severity: "medium", host: NAME }),
  );
  const countMembers = async () => {
    const { items: groups } = await done(admin.get(`/correlations?device_id=${issued.device_id}`));
    return groups[0]?.members.filter(({ kind }: { kind: string }) => kind === "alert").length;
  };
  await expect.poll(countMembers, WITHIN).toBe(2);
  await page.goto(`${soc.service.url}/correlations?device_id=${issued.device_id}`);
  await page.getByRole("row", { name: /both name/ }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  await page.getByRole("heading", { name: /both name/ }).waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  await page.keyboard.press("m");
  await page.waitForURL(/\/cases\//);
  const caseId = page.url().split("/cases/")[1]?.split(/[/?]/)[0];
  expect((await done(admin.get(`/alerts?case_id=${caseId}`))).total).toBe(2);

  // The effect is read before; done is what list and broker have confirmed.
  await page.goto(`${soc.service.url}/devices/${issued.device_id}`);
  await page.getByRole("button", { name: /^Revoke/ }).waitFor();
  await page.keyboard.press("Shift+R");
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/is revoked and its sessions are ended/).waitFor();
  await dialog.getByRole("button", { name: /^Revoke/ }).click();
  const proof = page.getByRole("region", { name: "Revocation" });
  await proof.getByText("The certificate is on the signed list.").waitFor({ timeout: WITHIN.timeout });
  await proof.getByText(/The broker enforces the new list/).waitFor();
  expect(await audit(page)).toEqual(CLEAN);
  const revoked = await done(admin.get(`/cps/devices/${issued.device_id}`));
  expect(revoked).toMatchObject({ status: "revoked", certificate: { status: "revoked" } });
  await proof.getByText(revoked.certificate.serial).waitFor();
  await expect.poll(() => device.isConnected(), WITHIN).toBe(false);
  await expect.poll(() => page.getByRole("button", { name: /^Revoke/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
}, 400_000);

it.runIf(isFull)(
  "shows on the wall display what needs people, without scrolling",
  async () => {
    await done(
      admin.post("/alerts", { title: "LSASS memory read", source: "edr", severity: "critical", host: "ws-1" }),
    );
    for (const [width, height] of [
      [1920, 1080],
      [1280, 720],
    ] as const) {
      const { page, complaints } = await visit(browser, { url: soc.service.url, path: "/", width, height });
      await page.getByRole("link", { name: "Wall view" }).click();
      await page.getByText("LSASS memory read").waitFor();
      await page.getByText("REAL", { exact: true }).waitFor();
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await page.getByRole("button").count()).toBe(0);
      const tooBig = await page.evaluate(() => {
        const parts = [document.documentElement, ...document.querySelectorAll("main, main section")];
        return parts.filter(
          (part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1,
        ).length;
      });
      expect(tooBig).toBe(0);
      // New events appear without a reload.
      const title = `Ransom note at ${width}`;
      await done(admin.post("/alerts", { title, source: "edr", severity: "critical", host: `ws-${width}` }));
      await page.getByText(title).waitFor({ timeout: WITHIN.timeout });
      await page.keyboard.press("Escape");
      await page.getByRole("navigation").first().waitFor();
      expect(complaints).toEqual([]);
    }
  },
  200_000,
);
