type Files = Readonly<Record<string, string>>;

const SOC = "apps/soc/src";
const CONSOLE = "apps/soc-console/src";
const DASHBOARD = "apps/player-dashboard/src";

function repeat(count: number, build: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => build(at)).join("\n");
}

function manyFiles(count: number, name: (at: number) => string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), "export {};"]));
}

const groups = "groups import downward only";
const cycles = "files form no import cycle";
const services = "a service file creates a service";
const stores = "a store file exports factories";
const scopes = "stores of records with a site take the scope";
const assembly = "only a feature file assembles a feature";
const wiring = "wire.ts names every dependency";
const dependencies = "a factory takes few dependencies";
const pages = "user interfaces import downward only";

/** The rule that must report the files, and no other may. */
export const PLANTED: readonly (readonly [rule: string, why: string, files: Files])[] = [
  [
    groups,
    "a type of a higher group",
    { [`${SOC}/casework/cases/case.ts`]: `import type { A } from "../../logs/query/a.ts";` },
  ],
  [
    groups,
    "foundation with identity",
    { [`${SOC}/foundation/events/event.ts`]: `import { a } from "../../identity/auth/a.ts"; a();` },
  ],
  [
    groups,
    "devices with reporting",
    { [`${SOC}/devices/registry/a.ts`]: `import type { A } from "../../reporting/stats/a.ts";` },
  ],
  [
    groups,
    "reporting with assistants",
    { [`${SOC}/reporting/stats/a.ts`]: `import type { A } from "../../assistants/chat/a.ts";` },
  ],
  [
    groups,
    "a group with a type of an adapter",
    { [`${SOC}/casework/cases/cases.store.ts`]: `import type { A } from "../../adapters/dbos.ts";` },
  ],
  [
    groups,
    "foundation with composition",
    { [`${SOC}/foundation/base.ts`]: `import type { A } from "../boot/wire.ts";` },
  ],
  [groups, "main with another main", { [`${SOC}/main-demo.ts`]: `import "./main.ts";` }],
  [
    groups,
    "an adapter with showcase",
    { [`${SOC}/adapters/nats.ts`]: `import { story } from "../showcase/story.ts"; story();` },
  ],
  [
    groups,
    "a service with showcase",
    { [`${SOC}/casework/cases/case.ts`]: `import { story } from "../../showcase/story.ts"; story();` },
  ],
  [
    "imports point one way",
    "showcase with a store of a feature",
    { [`${SOC}/showcase/cases.ts`]: `import { a } from "../casework/cases/cases.store.ts"; a();` },
  ],
  [
    groups,
    "showcase with an adapter",
    { [`${SOC}/showcase/cases.ts`]: `import type { A } from "../adapters/nats.ts";` },
  ],
  [groups, "a folder that is no group", { [`${SOC}/cases/case.ts`]: "export {};" }],
  [groups, "a file beside main.ts", { [`${SOC}/config.ts`]: "export {};" }],
  [
    cycles,
    "two files that import types of each other",
    {
      "packages/http/src/a.ts": `import type { B } from "./b.ts";`,
      "packages/http/src/b.ts": `import type { A } from "./a.ts";`,
    },
  ],
  [
    cycles,
    "a cycle that is reached over another file",
    {
      "packages/http/src/a.ts": `import "./b.ts";`,
      "packages/http/src/b.ts": `import "./c.ts"; import "./d.ts";`,
      "packages/http/src/c.ts": `import type { D } from "./d.ts";`,
      "packages/http/src/d.ts": `export type B = import("./b.ts").B;`,
    },
  ],
  [
    services,
    "a function with another name",
    { [`${SOC}/casework/cases/cases.service.ts`]: "export function createCases() {}" },
  ],
  [
    services,
    "a factory that is not exported",
    { [`${SOC}/casework/cases/cases.service.ts`]: "function createCasesService() {}" },
  ],
  [
    services,
    "types only",
    { [`${SOC}/casework/cases/cases.service.ts`]: "export interface createCasesService { a: 1 }" },
  ],
  [
    stores,
    "a function that takes the transaction",
    { [`${SOC}/casework/cases/cases.store.ts`]: "export async function insertCase(tx: unknown) { await tx; }" },
  ],
  [
    stores,
    "a function that is a constant, beside a factory",
    {
      [`${SOC}/casework/cases/cases.store.ts`]:
        "export const lockCase = (tx: unknown) => tx; export function createCasesStore() {}",
    },
  ],
  [
    scopes,
    "a read of alerts that any caller may make",
    {
      [`${SOC}/casework/alerts/alerts.store.ts`]:
        "interface Tables {\n  alerts: 1;\n}\nexport interface AlertsStore {\n  list(query: string): void;\n}\nexport function createAlertsStore() {}",
    },
  ],
  [
    assembly,
    "a service that creates another one",
    {
      [`${SOC}/casework/cases/cases.service.ts`]: `import { createItemsService } from "./items.service.ts"; export const createCasesService = () => createItemsService();`,
    },
  ],
  [
    assembly,
    "a worker that creates the service of another feature",
    {
      [`${SOC}/casework/cases/cases.worker.ts`]: `import { createAlertsService } from "../alerts/alerts.service.ts"; createAlertsService();`,
    },
  ],
  [
    assembly,
    "a feature file that assembles another feature",
    {
      [`${SOC}/casework/cases/cases.feature.ts`]: `import { createAlertsService } from "../alerts/alerts.service.ts"; createAlertsService();`,
    },
  ],
  [
    assembly,
    "composition with a service",
    { [`${SOC}/boot/wire.ts`]: `import { createA } from "../casework/cases/cases.service.ts"; createA();` },
  ],
  [
    assembly,
    "composition with a store",
    {
      [`${SOC}/boot/work.ts`]: `import { createAStore } from "../casework/cases/cases.store.ts"; createAStore();`,
    },
  ],
  [
    assembly,
    "composition with routes",
    {
      [`${SOC}/boot/serve.ts`]: `import { casesRoutes } from "../casework/cases/cases.routes.ts"; casesRoutes();`,
    },
  ],
  [
    assembly,
    "a main with a worker",
    { [`${SOC}/main-worker.ts`]: `import { createAWorker } from "./casework/cases/cases.worker.ts"; createAWorker();` },
  ],
  [wiring, "a spread feature", { [`${SOC}/boot/wire.ts`]: "createAlerts(base, { ...cases, changes });" }],
  [
    dependencies,
    "an interface of 16 members",
    {
      [`${SOC}/casework/cases/case.ts`]: `export interface CasesDeps {\n${repeat(16, (at) => `  a${at}: number;`)}\n}`,
    },
  ],
  [
    dependencies,
    "an intersection of 16 members",
    {
      [`${SOC}/casework/cases/case.ts`]: `export type CasesParts = { z: 1 } & {\n${repeat(15, (at) => `  a${at}: number;`)}\n};`,
    },
  ],
  [pages, "design with app", { [`${CONSOLE}/design/button.tsx`]: `import type { A } from "../app/session.ts";` }],
  [pages, "app with a page", { [`${DASHBOARD}/app/live.ts`]: `import type { A } from "../pages/now/now.tsx";` }],
  [
    pages,
    "a page with shell",
    { [`${DASHBOARD}/pages/now/now.tsx`]: `import { a } from "../../shell/router.ts"; a();` },
  ],
  [pages, "shell with main", { [`${DASHBOARD}/shell/router.ts`]: `import "../main.tsx";` }],
  [
    pages,
    "a page with another page",
    { [`${DASHBOARD}/pages/now/now.tsx`]: `import type { A } from "../radio/radio.ts";` },
  ],
  [
    pages,
    "a page of the console with another page of its group",
    { [`${CONSOLE}/pages/casework/cases/cases.tsx`]: `import type { A } from "../alerts/alerts.tsx";` },
  ],
  [pages, "a folder that is no layer", { [`${DASHBOARD}/now/now.tsx`]: "export {};" }],
  [pages, "a file that belongs to no page", { [`${CONSOLE}/pages/casework/words.ts`]: "export {};" }],
];

/** What looks like a violation and is none. */
export const ACCEPTED: readonly (readonly [why: string, files: Files])[] = [
  [
    "a type of the group below",
    { [`${SOC}/logs/query/a.ts`]: `import type { A } from "../../casework/cases/case.ts";` },
  ],
  [
    "reporting that reads devices",
    { [`${SOC}/reporting/stats/a.ts`]: `import type { A } from "../../devices/registry/a.ts";` },
  ],
  [
    "assistants that use reporting",
    { [`${SOC}/assistants/chat/a.ts`]: `import type { A } from "../../reporting/stats/a.ts";` },
  ],
  [
    "an adapter with a type of any group",
    { [`${SOC}/adapters/nats.ts`]: `import type { A } from "../response/edr/edr.ts";` },
  ],
  [
    "a test with a higher group",
    { [`${SOC}/casework/cases/case.test.ts`]: `import { a } from "../../response/edr/edr.ts"; a();` },
  ],
  [
    "showcase with a type of a feature",
    { [`${SOC}/showcase/cases.ts`]: `import type { A } from "../casework/cases/case.ts";` },
  ],
  [
    "showcase with a value of foundation",
    { [`${SOC}/showcase/cases.ts`]: `import { a } from "../foundation/records/digest.ts"; a();` },
  ],
  [
    "a demo store with showcase",
    { [`${SOC}/casework/cases/cases.showcase.ts`]: `import { a } from "../../showcase/cases.ts"; a();` },
  ],
  ["main with composition", { [`${SOC}/main.ts`]: `import { a } from "./boot/wire.ts"; a();` }],
  ["composition with an adapter", { [`${SOC}/boot/work.ts`]: `import { a } from "../adapters/nats.ts"; a();` }],
  [
    "a chain and a diamond of imports",
    {
      "packages/http/src/a.ts": `import "./b.ts"; import "./c.ts";`,
      "packages/http/src/b.ts": `import "./d.ts";`,
      "packages/http/src/c.ts": `import "./d.ts";`,
      "packages/http/src/d.ts": "export {};",
    },
  ],
  [
    "25 source files and their tests",
    {
      ...manyFiles(25, (at) => `${SOC}/casework/cases/case-${at}.ts`),
      ...manyFiles(25, (at) => `${SOC}/casework/cases/case-${at}.test.ts`),
      ...manyFiles(30, (at) => `${SOC}/migrations/${at}.sql`),
    },
  ],
  [
    "a factory that is a constant",
    { [`${SOC}/casework/cases/cases.service.ts`]: "export const createCasesService = () => 1;" },
  ],
  [
    "a store file with factories, a constant and a private function",
    {
      [`${SOC}/casework/cases/cases.store.ts`]:
        "export const MAX_CASES = 9; export interface CasesStore { a: 1 } export function createCasesStore() { return find(); } export const createCasesWriter = () => find(); function find() { return 1; }",
    },
  ],
  [
    "a store of alerts with a scope, and a read for the platform itself",
    {
      [`${SOC}/casework/alerts/alerts.store.ts`]:
        "interface Tables {\n  alerts: 1;\n}\nexport interface AlertsStore {\n  list(scope: Scope, query: string): void;\n  /** For the platform itself. */\n  listDue(): void;\n}\nexport function createAlertsStore() {}",
    },
  ],
  ["a store file of the player", { "apps/player/src/cards/cards.store.ts": "export function findCard() {}" }],
  ["a service file of the player", { "apps/player/src/cards/cards.service.ts": "export function createCards() {}" }],
  [
    "a feature file that assembles its folder",
    {
      [`${SOC}/logs/intake/intake.feature.ts`]: `import { createSyslogService } from "./syslog/syslog.service.ts"; import { createAStore } from "./a.store.ts"; createSyslogService(createAStore());`,
    },
  ],
  [
    "a feature file of a group",
    {
      [`${SOC}/detection/detection.feature.ts`]: `import { createRulesService } from "./rules/rules.service.ts"; createRulesService();`,
    },
  ],
  [
    "a type of a service in another feature",
    {
      [`${SOC}/casework/cases/cases.worker.ts`]: `import type { createAlertsService } from "../alerts/alerts.service.ts";`,
    },
  ],
  [
    "a store created for a transaction by its own feature",
    {
      [`${SOC}/casework/cases/cases.worker.ts`]: `import { createCasesStore } from "./cases.store.ts"; createCasesStore();`,
    },
  ],
  [
    "composition with a feature file and a type of a service",
    {
      [`${SOC}/boot/wire.ts`]: `import { createCases } from "../casework/cases/cases.feature.ts"; import type { A } from "../casework/cases/cases.service.ts"; createCases();`,
    },
  ],
  [
    "a test that assembles",
    {
      [`${SOC}/casework/cases/case.test.ts`]: `import { createAService } from "../alerts/alerts.service.ts"; createAService();`,
    },
  ],
  ["a list of named parts", { [`${SOC}/boot/wire.ts`]: "const all = [...[cases, alerts].map(toRegistrations)];" }],
  [
    "an interface of 15 members",
    {
      [`${SOC}/casework/cases/case.ts`]: `export interface CasesDeps {\n${repeat(15, (at) => `  a${at}: number;`)}\n}`,
    },
  ],
  [
    "a record of 16 members",
    { [`${SOC}/casework/cases/case.ts`]: `export interface Case {\n${repeat(16, (at) => `  a${at}: number;`)}\n}` },
  ],
  [
    "a page with app and design",
    {
      [`${DASHBOARD}/pages/now/now.tsx`]: `import "../../app/live.ts"; import "../../design/button.tsx"; import "./parts/deck.tsx";`,
    },
  ],
  [
    "shell with pages",
    { [`${CONSOLE}/shell/router.tsx`]: `import { a } from "../pages/casework/cases/cases.tsx"; a();` },
  ],
  [
    "a page of the console with its own folder",
    { [`${CONSOLE}/pages/casework/cases/cases.tsx`]: `import "./parts/row.tsx";` },
  ],
];
