import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { expect, it, onTestFinished } from "vitest";
import { isFull } from "../counts.ts";
import { ADMIN_PASSWORD, startService } from "../services.ts";
import { createSocClient, startSocForTest } from "./client.ts";
import { startDatabaseForTest, type TestDatabase } from "./database.ts";

const run = promisify(execFile);
const clock = createClock();
const MIGRATE = new URL("../../apps/soc/bundle/main-migrate.js", import.meta.url).pathname;
const WORK_MS = 60_000;

/** A database with an owner who is no superuser, and a login that is only a member of the service's role. */
async function prepare(database: TestDatabase) {
  await database.ask("CREATE ROLE soc_owner LOGIN CREATEROLE PASSWORD 'owner'");
  await database.ask("CREATE DATABASE soc OWNER soc_owner");
  const as = (name: string, password: string) => {
    const address = new URL(database.url);
    Object.assign(address, { pathname: "/soc", username: name, password });
    return address.href;
  };
  const owner = as("soc_owner", "owner");
  const migrate = () => run(process.execPath, [MIGRATE], { env: { ...process.env, SOC_DATABASE_OWNER_URL: owner } });
  return { login: as("soc_login", "login"), owner, migrate };
}

it("runs the service and its worker with a login that owns nothing after the owner has migrated", async () => {
  const database = await startDatabaseForTest();
  const { login, migrate } = await prepare(database);
  expect((await migrate()).stdout).toBe("The database is up to date\n");
  expect((await migrate()).stdout).toBe("The database is up to date\n");
  await database.ask("CREATE ROLE soc_login LOGIN PASSWORD 'login' IN ROLE soc_app, soc_site");
  const { client } = await startSocForTest(login);
  const opened = await client.post("/cases", { title: "kept" });
  expect(opened.status).toBe(201);
  // The worker runs playbooks on the workflow engine's tables.
  const step = { id: "a", name: "a", action: "wait", params: { seconds: 1 } };
  expect((await client.ask("PUT", "/api/v1/soar/playbooks/note", { name: "note", steps: [step] })).status).toBe(201);
  const { body } = await client.post("/soar/playbooks/note/execute", { case_id: opened.body.id });
  const deadline = clock.monotonicMs() + WORK_MS;
  let status = "";
  while (status !== "completed" && clock.monotonicMs() < deadline) {
    await clock.sleep(500);
    ({ status } = (await client.get(`/soar/executions/${body.execution_id}`)).body);
  }
  expect(status).toBe("completed");
  const owned = await database.ask(
    "SELECT count(*) FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner WHERE rolname = 'soc_login'",
  );
  expect(owned).toEqual(["0"]);
});

it.runIf(isFull)("answers 503 with such a login until the owner has migrated", async () => {
  const database = await startDatabaseForTest();
  const { login, migrate } = await prepare(database);
  await database.ask("CREATE ROLE soc_app NOLOGIN");
  await database.ask("GRANT soc_app TO soc_owner WITH ADMIN OPTION");
  await database.ask("CREATE ROLE soc_login LOGIN PASSWORD 'login' IN ROLE soc_app");
  const service = await startService("soc", { SOC_MODE: "real", SOC_DATABASE_URL: login });
  onTestFinished(() => service.stop().then(() => undefined));
  const { signIn } = createSocClient(service.url);
  expect((await signIn("admin", ADMIN_PASSWORD)).status).toBe(503);
  await migrate();
  const deadline = clock.monotonicMs() + WORK_MS;
  let status = 503;
  while (status === 503 && clock.monotonicMs() < deadline) ({ status } = await signIn("admin", ADMIN_PASSWORD));
  expect(status).toBe(200);
});
