import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createFrame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeCertificates } from "../../testing/processes/shippers.ts";
import { readConfig } from "../boot/config/config.ts";
import { renewServed } from "./tls-files.ts";

const folder = mkdtempSync(join(tmpdir(), "tls-files-"));
const [cert, key] = [join(folder, "used.pem"), join(folder, "used.key")];
let former: ReturnType<typeof makeCertificates>;
let next: ReturnType<typeof makeCertificates>;

beforeAll(() => {
  const own = join(folder, "next");
  mkdirSync(own);
  former = makeCertificates(folder);
  next = makeCertificates(own);
  copyFileSync(former.cert, cert);
  copyFileSync(former.key, key);
});
afterAll(() => rmSync(folder, { recursive: true }));

const readSerial = (path: string) => new X509Certificate(readFileSync(path)).serialNumber;

it("switches a server to the replaced certificate without a restart, and never without its key", async () => {
  const { tls } = readConfig({ SOC_TLS_CERT: cert, SOC_TLS_KEY: key });
  if (!tls) throw new Error("TLS is configured");
  const clock = createFakeClock();
  const refused: unknown[] = [];
  const app = createFrame({
    errorBody: (detail) => ({ detail }),
    ...{ ids: createFakeIds(), log: silentLog, tls: tls.current(), bodyBytes: 1000, bodyDepth: 2 },
    pages: { folder: undefined, api: "/api" },
  });
  renewServed(app, tls, { clock, log: { ...silentLog, warn: (context: unknown) => refused.push(context) } });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const open = async () => {
    const socket = connect({ host: "127.0.0.1", port: Number(port), rejectUnauthorized: false });
    await once(socket, "secureConnect");
    return socket;
  };
  const readShown = async () => {
    const socket = await open();
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const kept = await open();
  await clock.advance(5000);
  expect(refused).toEqual([]);
  copyFileSync(next.cert, cert);
  await clock.advance(5000);
  expect(await readShown()).toBe(readSerial(former.cert));
  expect(refused).toMatchObject([{ err: { message: "SOC_TLS_KEY: must be the key of SOC_TLS_CERT" } }]);
  copyFileSync(next.key, key);
  await clock.advance(5000);
  expect(await readShown()).toBe(readSerial(next.cert));
  expect(kept.destroyed).toBe(false);
  kept.destroy();
  await app.close();
});
