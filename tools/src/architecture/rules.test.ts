import { describe, expect, it } from "vitest";
import { ACCEPTED, PLANTED } from "./planted-structure.ts";
import { plantedTree } from "./planted-tree.ts";
import { RULES } from "./rules.ts";

// Every row is a violation that was planted, with the fence that must report it, and nothing else may.

function rulesThatReport(files: Readonly<Record<string, string>>): string[] {
  const tree = plantedTree(files);
  return RULES.filter(({ check }) => check(tree).length > 0).map(({ name }) => name);
}

/** A file that only shows an import keeps the rule about service files. */
function completed(path: string, code: string): string {
  return /^apps\/soc\/.*\.service\.ts$/.test(path) ? `${code} export function createCasesService() {}` : code;
}

describe("architecture rules", () => {
  const oneWay = "imports point one way";
  const process = "only main.ts touches process";
  const sockets = "sockets are opened in few places";
  const clocks = "time and chance are parameters";
  const readable = "every import can be read";

  it.each([
    [oneWay, "apps/soc/src/casework/cases/cases.routes.ts", `import { find } from "./cases.store.ts"; find();`],
    [oneWay, "apps/soc/src/casework/cases/cases.routes.ts", `import type { CasesStore } from "./cases.store.ts";`],
    [oneWay, "apps/soc/src/casework/cases/cases.service.ts", `import { routes } from "./cases.routes.ts"; routes();`],
    [oneWay, "apps/soc/src/casework/cases/cases.store.ts", `import type { Cases } from "./cases.service.ts";`],
    [oneWay, "apps/soc/src/casework/cases/cases.store.ts", `export type Routes = import("./cases.routes.ts").Routes;`],
    [oneWay, "apps/soc/src/casework/cases/case.ts", `import { find } from "./cases.store.ts"; find();`],
    [
      oneWay,
      "apps/soc/src/casework/cases/evidence-hash.ts",
      `import { find } from "../alerts/alerts.store.ts"; find();`,
    ],
    [oneWay, "apps/soc/src/casework/cases/case.ts", `const { close } = await import("./cases.service.ts"); close();`],
    [
      oneWay,
      "apps/soc/src/casework/cases/cases.service.ts",
      `import type { AlertsStore } from "../alerts/alerts.store.ts";`,
    ],
    [
      oneWay,
      "apps/soc/src/casework/cases/cases.routes.ts",
      `import { routes } from "../alerts/alerts.routes.ts"; routes();`,
    ],
    [
      oneWay,
      "apps/soc/src/casework/cases/cases.store.ts",
      `import { send } from "../../foundation/outbound/mail.ts"; send();`,
    ],
    [
      oneWay,
      "apps/soc/src/casework/cases/cases.routes.ts",
      `import type { Db } from "../../foundation/database/db.ts";`,
    ],
    [oneWay, "apps/player/src/cards/cards.service.ts", `import { reader } from "../drivers/nfc-pn532.ts"; reader();`],
    [oneWay, "apps/player/src/cards/cards.service.ts", `import { createApp } from "../app.ts"; createApp();`],
    [oneWay, "apps/player/src/drivers/nfc-pn532.ts", `import { cards } from "../cards/cards.service.ts"; cards();`],
    [oneWay, "apps/soc/src/casework/cases/case.ts", `import { find } from "../../foundation/database/db.ts"; find();`],
    [oneWay, "apps/soc/src/casework/cases/cases.actions.ts", `import { routes } from "./cases.routes.ts"; routes();`],
    [oneWay, "apps/soc/src/casework/cases/cases.feature.ts", `import type { A } from "../alerts/alerts.store.ts";`],
    [oneWay, "apps/soc/src/casework/cases/cases.showcase.ts", `import type { A } from "../alerts/alerts.store.ts";`],
    [oneWay, "apps/soc/src/detection/rules/rules.service.ts", `import type { A } from "../iocs/iocs.store.ts";`],
    [oneWay, "apps/soc/src/adapters/postgres.ts", `import type { Routes } from "../casework/cases/cases.routes.ts";`],
    [
      "schemas import typebox only",
      "apps/soc/src/casework/cases/cases.schema.ts",
      `import { kindOf } from "./case.ts"; kindOf();`,
    ],
    [
      "schemas import typebox only",
      "apps/soc/src/casework/cases/cases.schema.ts",
      `import type { Buffer } from "node:buffer";`,
    ],
    ["a file has one of eight roles", "apps/soc/src/adapters/nats.helper.ts", `export const all = "select 1";`],
    ["a file has one of eight roles", "apps/soc/src/casework/cases/cases.queries.ts", `export const all = "select 1";`],
    ["products stay apart", "apps/player/src/app.ts", `import type { Mode } from "@soc/service/contract/runtime";`],
    ["products stay apart", "apps/soc/src/boot/app.ts", `import { a } from "@player/service/contract/system"; a();`],
    [
      "packages are entered by their doors",
      "apps/soc/src/boot/app.ts",
      `import { a } from "../../../../packages/http/src/a.ts"; a();`,
    ],
    [
      "packages are entered by their doors",
      "packages/http/src/frame.test.ts",
      `import { a } from "../../guard/src/a.ts"; a();`,
    ],
    [
      "the kit knows no product",
      "packages/http/src/frame.ts",
      `import type { A } from "@player/service/contract/system";`,
    ],
    ["the kit knows no product", "tools/src/start.ts", `import { a } from "@soc/service/contract/auth"; a();`],
    ["@kit/testing is for tests", "packages/http/src/frame.ts", `import { a } from "@kit/testing/process"; a();`],
    ["@kit/testing is for tests", "apps/soc/src/main.ts", `await import("@kit/testing/browser");`],
    [
      "user interfaces see contracts only",
      "apps/soc-console/src/main.tsx",
      `import { a } from "@soc/service/cases"; a();`,
    ],
    [
      "user interfaces see contracts only",
      "apps/player-dashboard/src/app/app.tsx",
      `import type { Clock } from "@kit/clock";`,
    ],
    [
      "user interfaces see contracts only",
      "apps/player-dashboard/src/app/app.tsx",
      `import { checkQuery } from "@kit/query/query-check"; checkQuery("");`,
    ],
    [
      "user interfaces see contracts only",
      "apps/soc-console/src/app/app.tsx",
      `import { problem } from "@kit/problem"; problem();`,
    ],
    [
      "tests declare what they import",
      "packages/http/src/frame.test.ts",
      `import { a } from "@kit/guard/address"; a();`,
    ],
    [
      "tests declare what they import",
      "e2e/soc/login.e2e.ts",
      `import { chromium } from "playwright-core"; chromium();`,
    ],
    ["nothing is re-exported", "packages/http/src/frame.ts", `export type { A } from "./a.ts";`],
    [process, "apps/player/src/config.ts", `export const port = process.env.PORT;`],
    [process, "packages/http/src/service.ts", `import { exit } from "node:process"; exit(1);`],
    [process, "packages/http/src/service.ts", `export const pid = globalThis.process.pid;`],
    [
      process,
      "packages/http/src/service.ts",
      `declare const process: { pid: number }; export const pid = process.pid;`,
    ],
    [process, "apps/soc/src/boot/app.ts", `export const { argv } = process;`],
    [
      sockets,
      "apps/soc/src/casework/cases/cases.service.ts",
      `export const page = await fetch("https://example.org");`,
    ],
    [sockets, "apps/soc/src/casework/cases/cases.service.ts", `export const read = (get = fetch) => get("/");`],
    [sockets, "apps/soc/src/casework/cases/case.ts", `export const socket = new WebSocket("wss://example.org");`],
    [sockets, "apps/soc/src/casework/cases/case.ts", `import * as net from "node:net"; net.connect(25);`],
    [sockets, "apps/soc/src/casework/cases/case.ts", `import { connect as open } from "tls"; open(443);`],
    [
      sockets,
      "apps/soc/src/casework/cases/case.ts",
      `import { createSocket } from "node:dgram"; createSocket("udp4");`,
    ],
    [
      sockets,
      "apps/soc/src/casework/cases/case.ts",
      `import { request } from "node:https"; request("https://example.org");`,
    ],
    [
      sockets,
      "apps/soc/src/response/edr/edr.service.ts",
      `import { createOutboundGuard as g } from "@kit/guard/fetch"; g();`,
    ],
    [sockets, "apps/soc/src/boot/wire.ts", `const { createOutboundGuard } = await import("@kit/guard/fetch");`],
    [sockets, "apps/soc/src/response/edr/edr.ts", `import { parseTarget } from "@kit/guard/target"; parseTarget();`],
    [
      sockets,
      "apps/soc/src/identity/auth/tokens.ts",
      `import { createRemoteJWKSet } from "jose"; createRemoteJWKSet();`,
    ],
    [sockets, "apps/soc/src/main.ts", `import axios from "axios"; axios.get("/");`],
    [
      sockets,
      "apps/soc/src/identity/users/users.store.ts",
      `import { Pool } from "pg"; export const pool = new Pool();`,
    ],
    [
      sockets,
      "apps/player/src/streams/streams.service.ts",
      `import { createServer } from "node:http"; createServer();`,
    ],
    [sockets, "apps/player/src/main.ts", `void import("undici").then(({ request }) => request("/"));`],
    [sockets, "packages/http/src/server.ts", `import http from "node:http"; http.get("http://10.0.0.1");`],
    ["user interfaces talk to their own origin", "apps/soc-console/src/app/live.ts", `fetch("https://example.org/a");`],
    [
      "user interfaces talk to their own origin",
      "apps/soc-console/src/app/live.ts",
      "new WebSocket(`wss://$" + "{1}.example.org`);",
    ],
    [clocks, "apps/soc/src/casework/cases/case.ts", `export const now = Date.now();`],
    [clocks, "apps/soc/src/casework/cases/case.ts", `export const now = () => new Date();`],
    [clocks, "apps/soc/src/casework/cases/case.ts", `export const now = Date();`],
    [clocks, "apps/soc/src/casework/cases/case.ts", `export const { now } = Date;`],
    [clocks, "apps/soc/src/casework/cases/case.ts", `const Time = Date; export const now = Time.now();`],
    [clocks, "apps/soc/src/casework/cases/case.ts", `export const now = globalThis["Date"]["now"]();`],
    [clocks, "apps/soc/src/casework/cases/case.ts", `export const now = performance.now();`],
    [
      clocks,
      "apps/soc/src/casework/cases/case.ts",
      `import { performance } from "node:perf_hooks"; performance.mark("a");`,
    ],
    [clocks, "apps/soc/src/main.ts", `export const now = process.hrtime.bigint();`],
    [clocks, "packages/http/src/limits.ts", `setTimeout(() => undefined, 1);`],
    [clocks, "packages/http/src/limits.ts", `setInterval(() => undefined, 1);`],
    [clocks, "packages/http/src/limits.ts", `setImmediate(() => undefined);`],
    [
      clocks,
      "packages/http/src/limits.ts",
      `import { setTimeout as wait } from "node:timers/promises"; await wait(1);`,
    ],
    [clocks, "packages/guard/src/fetch.ts", `export const deadline = AbortSignal.timeout(1000);`],
    [clocks, "apps/player/src/cards/card.ts", `export const chance = Math.random();`],
    [
      clocks,
      "apps/player/src/cards/card.ts",
      `import { randomUUID } from "node:crypto"; export const id = randomUUID();`,
    ],
    [
      clocks,
      "apps/player/src/cards/card.ts",
      `import crypto from "node:crypto"; export const id = crypto.randomBytes(8);`,
    ],
    [
      clocks,
      "apps/player/src/cards/card.ts",
      `import { randomInt as dice } from "crypto"; export const six = dice(6);`,
    ],
    [
      clocks,
      "apps/player/src/cards/card.ts",
      `import { webcrypto as w } from "node:crypto"; w.getRandomValues(new Uint8Array(1));`,
    ],
    [clocks, "apps/player/src/cards/card.ts", `crypto.getRandomValues(new Uint8Array(1));`],
    [clocks, "apps/player-dashboard/src/app/live/poll.ts", `setInterval(() => undefined, 1000);`],
    [clocks, "apps/player-dashboard/src/app/clock.ts", `export const chance = Math.random();`],
    [readable, "apps/soc/src/boot/app.ts", `export const load = (name: string) => import(name);`],
    [readable, "apps/soc/src/boot/app.ts", `import { createRequire } from "node:module"; createRequire("/");`],
    [readable, "apps/soc/src/boot/app.ts", `export const all = (name: string) => Reflect.get(globalThis, name);`],
    ["every file has a home", "apps/soc/src/utils/text.sql", ""],
    ["there is no index.ts", "packages/http/src/index.ts", "export {};"],
    ["a promise in a comment cites its decision", "packages/http/src/frame.ts", "/* TODO make it faster */ export {};"],
    ["a promise in a comment cites its decision", "packages/http/src/frame.ts", "/* FIXME decision 0042 */ export {};"],
    ["every file can be parsed", "packages/http/src/frame.ts", "export const = 1;"],
    ["versions are exact", "e2e/package.json", `{ "name": "@tests/e2e", "devDependencies": { "vitest": "^4.1.12" } }`],
    ["versions are exact", "e2e/package.json", `{ "name": "@tests/e2e", "dependencies": { "@kit/clock": "1.0.0" } }`],
  ])("%s: refuses %s with %s", (rule, file, code) => {
    expect(rulesThatReport({ [file]: completed(file, code) })).toEqual([rule]);
  });

  it.each([
    ["case.ts", 400, []],
    ["case.ts", 401, ["files are small"]],
    ["case.test.ts", 600, []],
    ["case.test.ts", 601, ["files are small"]],
  ])("files are small: %s of %i lines", (file, count, rules) => {
    expect(rulesThatReport({ [`apps/soc/src/casework/cases/${file}`]: "export {};\n".repeat(count) })).toEqual(rules);
  });

  it("the kit has no cycles: refuses a cycle over three packages", () => {
    const files = {
      "packages/clock/src/clock.ts": `import "@kit/guard/address";`,
      "packages/guard/src/address.ts": `import type { Limits } from "@kit/http/limits";`,
      "packages/http/src/limits.ts": `import { createClock } from "@kit/clock"; createClock();`,
    };
    expect(rulesThatReport(files)).toEqual(["the kit has no cycles"]);
  });

  it.each([
    ["apps/soc/src/casework/cases/cases.routes.ts", `import type { Cases } from "./cases.service.ts";`],
    ["apps/soc/src/casework/cases/cases.service.ts", `import type { Alerts } from "../alerts/alerts.service.ts";`],
    ["apps/soc/src/casework/cases/cases.store.ts", `import type { Db } from "../../foundation/database/db.ts";`],
    ["apps/soc/src/casework/cases/case-lock.ts", `import type { CasesStore } from "./cases.store.ts";`],
    [
      "apps/soc/src/casework/cases/case-lock.ts",
      `import { createCasesStore } from "./cases.store.ts"; createCasesStore();`,
    ],
    ["apps/soc/src/casework/cases/cases.store.ts", `import { lock } from "../../foundation/database/db.ts"; lock();`],
    ["apps/soc/src/detection/rules/rules.service.ts", `import { addRun } from "../runs/runs.store.ts"; addRun();`],
    [
      "apps/soc/src/casework/cases/cases.schema.ts",
      `import { Severity } from "../alerts/alerts.schema.ts"; Severity();`,
    ],
    ["apps/player/src/drivers/nfc-pn532.ts", `import type { CardReader } from "../cards/card-reader.ts";`],
    ["apps/player/src/drivers/nfc-pn532.ts", `import { connect } from "node:net"; connect("/run/pcscd.comm");`],
    ["apps/player/src/app.ts", `import { reader } from "./drivers/nfc-pn532.ts"; reader();`],
    ["apps/player/src/main.ts", `import { env } from "node:process"; process.exit(env.A ? 1 : 0);`],
    ["packages/http/src/service.ts", `export const stop = (process: { exit(): void }) => process.exit();`],
    ["packages/http/src/server.ts", `import http from "node:http"; export const server = http.createServer();`],
    ["apps/player/src/streams/relay.ts", `import { createServer } from "node:http"; createServer();`],
    [
      "apps/soc/src/foundation/outbound/outside-guard.ts",
      `import { createOutboundGuard as g } from "@kit/guard/fetch"; g();`,
    ],
    [
      "apps/soc/src/response/edr/edr.service.ts",
      `import type { Outbound } from "../../foundation/outbound/outbound.service.ts";`,
    ],
    [
      "apps/soc/src/identity/auth/auth.routes.ts",
      `import { clientNetworkOf } from "@kit/guard/address"; clientNetworkOf();`,
    ],
    ["apps/player/src/main.ts", `import { createOutboundGuard } from "@kit/guard/fetch"; createOutboundGuard();`],
    ["packages/guard/src/address.ts", `import { isIP } from "node:net"; export const is = isIP("::1");`],
    [
      "apps/soc/src/casework/cases/case.ts",
      `import type { Socket } from "node:net"; export const read = (fetch: () => Socket) => fetch();`,
    ],
    [
      "apps/soc/src/casework/cases/case.ts",
      `export const is = (at: unknown) => at instanceof Date || new Date(0) > new Date(Date.UTC(2026));`,
    ],
    [
      "apps/soc/src/casework/cases/case.ts",
      `export type Timer = ReturnType<typeof setTimeout>; export const key = { process: 1, setTimeout: 2 };`,
    ],
    ["packages/http/src/frame.test.ts", `import { it } from "vitest"; import { a } from "@kit/clock/fake"; it(a);`],
    ["apps/soc/src/casework/cases/case.test.ts", `setTimeout(() => fetch("http://127.0.0.1"), Math.random());`],
    ["apps/player-dashboard/src/app/clock.ts", `setInterval(() => fetch("/system"), Date.now());`],
    [
      "apps/soc-console/src/main.tsx",
      `import type { Mode } from "@soc/service/contract/runtime"; export const a = <b title="1" />;`,
    ],
    [
      "apps/soc-console/src/app/query.ts",
      `import { checkQuery } from "@kit/query/query-check"; export const check = checkQuery;`,
    ],
    ["packages/http/src/frame.ts", "/* TODO decision 0007 */ export {};"],
    ["e2e/package.json", `{ "name": "@tests/e2e", "devDependencies": { "vitest": "4.1.12", "@kit/clock": "*" } }`],
  ])("accept %s with %s", (file, code) => {
    expect(rulesThatReport({ [file]: completed(file, code) })).toEqual([]);
  });

  it.each(PLANTED)("%s: refuses %s", (rule, _why, files) => {
    expect(rulesThatReport(files)).toEqual([rule]);
  });

  it.each(ACCEPTED)("accept %s", (_why, files) => {
    expect(rulesThatReport(files)).toEqual([]);
  });

  it("are each shown to fail", ({ task }) => {
    const titles = task.suite?.tasks.map(({ name }) => name) ?? [];
    expect(RULES.filter(({ name }) => !titles.some((title) => title.startsWith(name)))).toEqual([]);
  });
});
