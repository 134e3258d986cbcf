import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { clientNetworkOf } from "@kit/guard/address";
import { createFrame, type Frame } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import { replaceCertificate } from "@kit/http/server";
import { closeGracefully, listen } from "@kit/http/service";
import type { Log } from "@kit/log";
import type { Background } from "../../foundation/base.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { Routes } from "../../foundation/runtime/operation.ts";
import type { Authority } from "./authority.ts";

export interface DeviceServerDeps {
  address: { host: string; port: number };
  /** The names and addresses at which devices reach the server. */
  names: readonly string[];
  dataFolder: string;
  authority: () => Promise<Authority>;
  routes: Routes;
  clock: Clock;
  ids: Ids;
  log: Log;
}

const DAY_MS = 24 * 60 * 60_000;
const CERTIFICATE_MS = 30 * DAY_MS;
const BODY_BYTES = 64 * 1024;
const BODY_DEPTH = 4;
/** Per client network: a site with 10,000 devices behind one address renews 14 certificates a minute. */
const PER_MINUTE = { name: "device", limit: 300, windowMs: 60_000 };

/**
 * The TLS 1.3 server where devices enrol and renew. It requests a client certificate without requiring it, because a
 * new device has none. It reads revocations from the records instead of a list, so they are never outdated.
 */
export function createDeviceServer(deps: DeviceServerDeps): Background {
  const { address, names, dataFolder, authority, routes, clock, ids, log } = deps;
  let app: Frame | undefined;

  async function issueTls() {
    const { issueForServer, certificate: ca } = await authority();
    const { cert, key } = await issueForServer(names, CERTIFICATE_MS);
    // Includes the authority, because a new device knows only its fingerprint.
    const chain = cert + ca;
    return { cert: chain, key, ca, requestCert: true, rejectUnauthorized: false, minVersion: "TLSv1.3" } as const;
  }

  const renewal = createPollingLoop({
    async round(turn) {
      if (turn > 0 && app) replaceCertificate(app.server, await issueTls());
    },
    waitMs: DAY_MS,
    failure: "certificate renewal of the device server failed",
    clock,
    log,
  });

  return {
    async start() {
      if (app) return;
      app = createFrame({
        errorBody: (detail) => ({ detail }),
        ids,
        log,
        tls: await issueTls(),
        bodyBytes: BODY_BYTES,
        bodyDepth: BODY_DEPTH,
        // The folder does not exist, because there are no pages.
        pages: { folder: join(dataFolder, "no-pages"), api: "/" },
        limits: { windows: createFixedWindows({ clock }), budgetOf: () => PER_MINUTE, findClient: clientNetworkOf },
      });
      await app.register(routes);
      await listen(app, address, "SOC_DEVICES_PORT");
      renewal.start();
    },

    async close() {
      await renewal.close();
      if (app) await closeGracefully(app, clock);
    },
  };
}
