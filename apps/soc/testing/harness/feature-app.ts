import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import type { FastifyPluginAsync } from "fastify";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { buildShowcase } from "../../src/demo/showcase.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { type Base, createBase } from "../../src/foundation/base.ts";
import { formatRefusal, isCallerAllowed } from "../../src/foundation/caller/caller.ts";
import type { Role } from "../../src/foundation/caller/permissions.ts";
import { requireMode } from "../../src/foundation/runtime/require-mode.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createShowcaseClock } from "../../src/foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../src/foundation/yaml/local-yaml.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { createTestFrame } from "./test-frame.ts";

/** The base that every feature needs, with its own database, or without one for `none`. */
export async function testPlatform(mode: Mode, kind: "fresh" | "none" = "fresh") {
  const clock = createClock();
  const url = kind === "fresh" ? (await freshDatabase()).url : undefined;
  const onFirstAnswer = async () => undefined;
  const migrationsFolder = `${import.meta.dirname}/../../src/migrations`;
  const database = createDatabase({ url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  const showcase = createShowcaseClock(clock, buildShowcase);
  const base = createBase({ yaml: LOCAL_YAML, mode, database, showcase, clock, ids: createIds(clock), log: silentLog });
  return { ...base, url, close: () => database.close() };
}
export type TestPlatform = Awaited<ReturnType<typeof testPlatform>>;

/** The same platform with another clock. */
export function withClock(platform: TestPlatform, clock: Clock): Base {
  const ids = createIds(clock);
  return { ...platform, clock, ids, audit: createAuditStore(ids) };
}

/** A server with the routes of some features. The header x-role sets the caller's role and name. */
export async function featureApp({ runtime }: TestPlatform, ...features: FastifyPluginAsync[]) {
  const app = createTestFrame();
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    const role = String(request.headers["x-role"] ?? "admin") as Role;
    const caller = { kind: "user", username: role, role } as const;
    const { needs = "role:admin" } = request.routeOptions.config;
    if (!isCallerAllowed(caller, needs)) throw new Problem("forbidden", formatRefusal(caller, needs));
    request.caller = caller;
  });
  requireMode(app, () => runtime.truth());
  for (const feature of features) await app.register(feature, { prefix: "/api/v1" });
  return app;
}
