import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createDiskFiles } from "../../adapters/files/disk-files.ts";
import { createIncomingFiles } from "../../adapters/files/incoming-files.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createCases } from "../cases/cases.feature.ts";
import { createLedger } from "../ledger/ledger.feature.ts";
import { createCaseFiles } from "./case-files.feature.ts";

const clock = createClock();
const MAX_BYTES = 6_000_000;
const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";
const folder = mkdtempSync(join(tmpdir(), "case-files-"));
const stored = join(folder, "stored");
mkdirSync(stored);
mkdirSync(join(folder, "incoming"));

let platform: TestPlatform;
let feature: ReturnType<typeof build>;
let app: Frame;

function build(base: TestPlatform) {
  const ledger = createLedger(base, { key: createSampleKey(), checkpointFile: join(folder, "checkpoints.ndjson") });
  const cases = createCases(base, { ...ledger.services, alerts: createAlertChanges(base) });
  const incoming = createIncomingFiles({ folder: join(folder, "incoming"), clock, ids: base.ids, reserveBytes: 0 });
  const storage = { incoming, store: createDiskFiles(stored), maxBytes: MAX_BYTES };
  return { cases, ledger, files: createCaseFiles(base, { ...cases.services, storage }) };
}

async function serve(base: TestPlatform) {
  const built = build(base);
  const { cases, ledger, files } = built;
  return {
    built,
    app: await featureApp(
      base,
      ...cases.registrations.routes,
      ...ledger.registrations.routes,
      ...files.registrations.routes,
    ),
  };
}

beforeAll(async () => {
  platform = await testPlatform("real");
  const served = await serve(platform);
  feature = served.built;
  app = served.app;
});

afterAll(async () => {
  await app.close();
  await platform.close();
  rmSync(folder, { recursive: true });
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const findStored = (hash: string) => join(stored, hash.slice(0, 2), hash.slice(2));
const countStored = () =>
  readdirSync(stored, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;

async function ask(method: "GET" | "POST" | "DELETE", path: string, payload?: object, role = "tier2") {
  const answer = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { "x-role": role },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

const openCase = async (): Promise<string> => (await ask("POST", "/cases", { title: "Intrusion" })).body.id;

async function upload(case_id: string, bytes: Buffer, query = "name=lsass.dmp", headers: Record<string, string> = {}) {
  const answer = await app.inject({
    method: "POST",
    url: `/api/v1/cases/${case_id}/files?${query}`,
    headers: { "x-role": "tier2", "content-type": "application/octet-stream", ...headers },
    payload: bytes,
  });
  return { status: answer.statusCode, body: answer.json() };
}

const download = (case_id: string, file_id: string, role = "tier2") =>
  app.inject({ method: "GET", url: `/api/v1/cases/${case_id}/files/${file_id}`, headers: { "x-role": role } });

describe("case files", () => {
  it("hashes an uploaded file, records it as evidence in the ledger, and returns it unchanged", async () => {
    const id = await openCase();
    const bytes = Buffer.from("\x7fELF what was found");
    const { status, body } = await upload(id, bytes, "name=lsass%20%D8%AA.dmp&location=lab&evidence_type=memory");
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "lsass ت.dmp",
      evidence_type: "memory",
      location: "lab",
      size_bytes: bytes.length,
      sha256: sha256(bytes),
      uploaded_by: "tier2",
      ledger: { sequence: 1, entry_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const { items } = (await ask("GET", `/cases/${id}/evidence`)).body;
    expect(items[0]).toMatchObject({ id: body.id, sha256: sha256(bytes), name: "lsass ت.dmp", custody_total: 1 });
    const [entry] = (await ask("GET", `/ledger/bundle?case_id=${id}`)).body.entries;
    expect(entry.entry).toMatchObject({
      kind: "evidence.registered",
      actor: "tier2",
      body: { evidence_id: body.id, sha256: sha256(bytes) },
    });
    const { ledger: _, ...listed } = body;
    expect((await ask("GET", `/cases/${id}/files`)).body).toMatchObject({ total: 1, items: [listed] });
    const got = await download(id, body.id);
    expect(got.rawPayload.equals(bytes)).toBe(true);
    expect(got.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="lsass _.dmp"; filename*=UTF-8''lsass%20%D8%AA.dmp`,
      "content-length": String(bytes.length),
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^sandbox;/),
    });
  });

  it("serves an HTML page with a script only as a download", async () => {
    const id = await openCase();
    const page = Buffer.from("<script>alert(1)</script>");
    const { body } = await upload(id, page, "name=%3Cscript%3E.html", { "content-type": "text/html" });
    expect((await download(id, body.id)).headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": expect.stringMatching(/^attachment; filename="_script_\.html"/),
    });
  });

  it("stores equal content once in all cases, and loses nothing with twenty concurrent senders", async () => {
    const [one, other] = [await openCase(), await openCase()];
    const bytes = Buffer.from("the same file");
    const before = countStored();
    const sent: Awaited<ReturnType<typeof upload>>[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      sent.push(
        ...(await Promise.all([upload(one, bytes, `name=${turn}.bin`), upload(other, bytes, `name=${turn}.bin`)])),
      );
    }
    expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(countStored()).toBe(before + 1);
    expect((await ask("GET", `/cases/${one}/files`)).body.total).toBe(10);
    const bundle = (await ask("GET", `/ledger/bundle?case_id=${one}`)).body;
    expect(bundle.entries).toHaveLength(10);
  });

  it("refuses a file that does not match the given digest and stores nothing", async () => {
    const id = await openCase();
    const bytes = Buffer.from("sent with a wrong digest");
    const before = countStored();
    const wrong = await upload(id, bytes, `name=a&sha256=${"0".repeat(64)}`);
    expect(wrong).toEqual({ status: 400, body: { detail: "sha256: is not the digest of this file" } });
    expect(countStored()).toBe(before);
    expect((await upload(id, bytes, `name=a&sha256=${sha256(bytes).toUpperCase()}`)).status).toBe(201);
  });

  it.each([
    ["an empty one", Buffer.alloc(0), "name=a", {}, 400, /^body: must not be empty/],
    ["one without a name", Buffer.from("a"), "", {}, 400, /^name: is required/],
    ["a path as name", Buffer.from("a"), "name=..%2F..%2Fetc%2Fpasswd", {}, 400, /^name: must not contain slashes/],
    ["a name with a line break", Buffer.from("a"), "name=a%0D%0AX-Evil:%201", {}, 400, /^name: /],
    ["a name that turns its direction", Buffer.from("a"), "name=a%E2%80%AEfdp.exe", {}, 400, /^name: /],
    ["a name with a NUL", Buffer.from("a"), "name=a%00b", {}, 400, /^name: /],
    ["a long name", Buffer.from("a"), `name=${"a".repeat(256)}`, {}, 400, /^name: must be/],
    [
      "a form",
      Buffer.from("a"),
      "name=a",
      { "content-type": "multipart/form-data; boundary=x" },
      400,
      /^Content-Type: /,
    ],
    ["a compressed one", Buffer.from("a"), "name=a", { "content-encoding": "gzip" }, 400, /^Content-Encoding: /],
    [
      "a large one",
      Buffer.alloc(MAX_BYTES + 1),
      "name=a",
      {},
      413,
      new RegExp(`^body: must be at most ${MAX_BYTES} bytes$`),
    ],
  ])("refuses a file that is %s", async (_what, bytes, query, headers, status, detail) => {
    const id = await openCase();
    const refused = await upload(id, bytes, query, headers);
    expect(refused).toEqual({ status, body: { detail: expect.stringMatching(detail) } });
    expect((await ask("GET", `/cases/${id}/files`)).body.total).toBe(0);
    expect(readdirSync(join(folder, "incoming"))).toEqual([]);
  });

  it("answers 404 for a file of a missing case or of another case", async () => {
    const [id, other] = [await openCase(), await openCase()];
    const { body } = await upload(id, Buffer.from("mine"));
    expect((await upload(UNKNOWN_ID, Buffer.from("a"))).status).toBe(404);
    expect((await download(other, body.id)).statusCode).toBe(404);
    expect((await download(id, UNKNOWN_ID)).statusCode).toBe(404);
    expect((await download(id, "..%2f..%2fledger.key")).statusCode).toBe(404);
    expect((await ask("GET", `/cases/${UNKNOWN_ID}/files`)).status).toBe(404);
  });

  it("requires cases:write for uploads and cases:read for downloads", async () => {
    const id = await openCase();
    expect((await upload(id, Buffer.from("a"), "name=a", { "x-role": "auditor" })).status).toBe(403);
    const { body } = await upload(id, Buffer.from("a"));
    expect((await download(id, body.id, "auditor")).statusCode).toBe(200);
  });
});

describe("size limits of case files", () => {
  function send(id: string, headers: Record<string, string>) {
    const { port } = app.server.address() as AddressInfo;
    const path = `/api/v1/cases/${id}/files?name=large.bin`;
    const sent = requestHttp({
      port,
      host: "127.0.0.1",
      method: "POST",
      path,
      headers: { "x-role": "tier2", ...headers },
    });
    const answered = new Promise<{ status?: number | undefined }>((resolve) => {
      sent.once("response", ({ statusCode: status }) => resolve({ status }));
      sent.once("error", () => resolve({ status: undefined }));
    });
    return { sent, answered };
  }

  it("refuses a large file before the body is sent, or during the transfer if its length is unknown", async () => {
    await app.listen({ host: "127.0.0.1", port: 0 });
    const id = await openCase();
    const announced = send(id, { "content-length": String(MAX_BYTES + 1) });
    announced.sent.write(Buffer.alloc(10));
    expect(await announced.answered).toEqual({ status: 413 });
    announced.sent.destroy();
    const endless = send(id, { "transfer-encoding": "chunked" });
    for (let sent = 0; sent <= MAX_BYTES; sent += 1_000_000) endless.sent.write(Buffer.alloc(1_000_000));
    expect(await endless.answered).toEqual({ status: 413 });
    endless.sent.destroy();
    await expect.poll(() => readdirSync(join(folder, "incoming"))).toEqual([]);
  });

  it("limits the total size of a case's files, even with concurrent senders", async () => {
    const id = await openCase();
    const { body } = await upload(id, Buffer.from("first"));
    // Simulates nineteen files of the maximum size.
    await sql`UPDATE stored_files SET size_bytes = ${19 * MAX_BYTES} WHERE sha256 = ${body.sha256}`.execute(
      platform.db,
    );
    const half = (fill: number) => Buffer.alloc(MAX_BYTES / 2 + 1, fill);
    const sent = await Promise.all([1, 2].map((fill) => upload(id, half(fill))));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413]);
    expect((await ask("GET", `/cases/${id}/files`)).body.total).toBe(2);
    expect((await ask("GET", `/cases/${id}/evidence`)).body.total).toBe(2);
  });
});

it("accepts two simultaneous files of one sender and refuses the third with Retry-After", async () => {
  const id = await openCase();
  const { port } = app.server.address() as AddressInfo;
  const slow = [1, 2].map((number) => {
    const path = `/api/v1/cases/${id}/files?name=${number}`;
    const sent = requestHttp({ port, host: "127.0.0.1", method: "POST", path, headers: { "x-role": "tier3" } });
    sent.write("begin");
    return sent;
  });
  await expect.poll(() => readdirSync(join(folder, "incoming")).length).toBe(2);
  const third = await upload(id, Buffer.from("a"), "name=a", { "x-role": "tier3" });
  expect(third).toMatchObject({ status: 429 });
  expect((await upload(id, Buffer.from("a"))).status).toBe(201);
  // The senders disconnect during the transfer.
  for (const sent of slow) sent.on("error", () => undefined).destroy();
  await expect.poll(() => readdirSync(join(folder, "incoming"))).toEqual([]);
  expect((await upload(id, Buffer.from("a"), "name=a", { "x-role": "tier3" })).status).toBe(201);
  expect((await ask("GET", `/cases/${id}/files`)).body.total).toBe(2);
});

describe("a file that has changed in the store", () => {
  const listReports = async (id: string) => {
    const { rows } = await sql<{ actor: string }>`
      SELECT actor FROM audit_log WHERE action = 'file.changed' AND subject_id = ${id}`.execute(platform.db);
    return rows;
  };

  it("reports a changed file and does not send it", async () => {
    const id = await openCase();
    const { body } = await upload(id, Buffer.from("the genuine content"));
    writeFileSync(findStored(body.sha256), "the changed content");
    const got = await download(id, body.id);
    expect(got.statusCode).toBe(500);
    expect(got.json().detail).toBe(`file '${body.id}' differs from the upload and is not sent`);
    expect(await listReports(body.id)).toEqual([{ actor: "tier2" }]);
    rmSync(findStored(body.sha256));
    expect((await download(id, body.id)).statusCode).toBe(503);
    // A new upload restores the content.
    await upload(id, Buffer.from("the genuine content"));
    expect((await download(id, body.id)).body).toBe("the genuine content");
  });

  it.each([
    ["at its end", (bytes: Buffer) => bytes.fill(7, bytes.length - 1)],
    ["by its length", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("more")])],
    ["by a cut", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ])("never sends a long file completely when it differs %s", async (_how, change) => {
    const id = await openCase();
    const bytes = Buffer.alloc(5_500_000, 1);
    const { body } = await upload(id, bytes);
    writeFileSync(findStored(body.sha256), change(Buffer.from(bytes)));
    const { port } = app.server.address() as AddressInfo;
    const path = `/api/v1/cases/${id}/files/${body.id}`;
    const whole = await new Promise<number | "broken off">((resolve, reject) => {
      requestHttp({ port, host: "127.0.0.1", path, headers: { "x-role": "tier2" } }, (answered) => {
        expect(answered.headers["content-length"]).toBe(String(bytes.length));
        buffer(answered).then(
          (got) => resolve(got.length),
          () => resolve("broken off"),
        );
      })
        .once("error", reject)
        .end();
    });
    expect(whole).toBe("broken off");
    await expect.poll(() => listReports(body.id)).toEqual([{ actor: "tier2" }]);
    await upload(id, bytes);
    expect((await download(id, body.id)).rawPayload.equals(bytes)).toBe(true);
  });
});

describe("content without a reference from a case", () => {
  const age = (hash: string, by: string) =>
    sql`UPDATE stored_files SET used_at = now() - ${by}::interval WHERE sha256 = ${hash}`.execute(platform.db);
  const sweep = async () => {
    for (let swept = 1; swept > 0; ) swept = await feature.files.services.caseFiles.sweepUnused();
  };

  it("removes unreferenced content after an hour and keeps referenced content", async () => {
    const [gone, kept] = [await openCase(), await openCase()];
    const only = (await upload(gone, Buffer.from("only in the deleted case"))).body;
    const shared = (await upload(gone, Buffer.from("in both cases"))).body;
    const copy = (await upload(kept, Buffer.from("in both cases"))).body;
    expect((await ask("DELETE", `/cases/${gone}`, undefined, "manager")).status).toBe(200);
    await age(shared.sha256, "2 hours");
    await age(only.sha256, "59 minutes");
    await sweep();
    expect(readdirSync(join(stored, only.sha256.slice(0, 2)))).toContain(only.sha256.slice(2));
    await age(only.sha256, "61 minutes");
    await sweep();
    expect(readdirSync(join(stored, only.sha256.slice(0, 2)))).not.toContain(only.sha256.slice(2));
    expect((await download(kept, copy.id)).body).toBe("in both cases");
  });

  it("keeps content that a sender uploads during a sweep", async () => {
    const id = await openCase();
    const bytes = Buffer.from("swept and sent at once");
    const hash = sha256(bytes);
    for (let turn = 0; turn < 10; turn += 1) {
      const first = await openCase();
      await upload(first, bytes);
      await ask("DELETE", `/cases/${first}`, undefined, "manager");
      await age(hash, "2 hours");
      const [sent] = await Promise.all([upload(id, bytes), sweep().catch(() => undefined)]);
      expect(sent.status).toBe(201);
      expect((await download(id, sent.body.id)).rawPayload.equals(bytes)).toBe(true);
    }
  });
});

describe.each(["dummy", "dry_run"] satisfies Mode[])("case files in mode %s", (mode) => {
  it("stores no file", async () => {
    const base = await testPlatform(mode, mode === "dummy" ? "none" : "fresh");
    const { app: other, built } = await serve(base);
    const before = countStored();
    const url = (id: string) => `/api/v1/cases/${id}/files`;
    const payload = Buffer.from("not to be stored");
    const headers = { "content-type": "application/octet-stream" };
    if (mode === "dummy") {
      const [shown] = (await built.cases.services.cases.list(ALL_SITES, { q: "lateral movement" })).items;
      const id = shown?.id ?? "";
      const sent = await other.inject({ method: "POST", url: `${url(id)}?name=a`, headers, payload });
      expect(sent.json().detail).toBe("Runtime mode 'dummy' blocks this change");
      const { items } = (await other.inject({ url: url(id) })).json();
      expect(items.length).toBeGreaterThan(0);
      const got = await other.inject({ url: `${url(id)}/${items[0].id}` });
      expect(sha256(got.rawPayload)).toBe(items[0].sha256);
    } else {
      const now = clock.now();
      const id = base.ids.next();
      await sql`INSERT INTO cases (id, title, description, severity, status, requires_human_approval, created_at, updated_at)
        VALUES (${id}, 'Intrusion', '', 'low', 'open', false, ${now}, ${now})`.execute(base.db);
      const sent = await other.inject({ method: "POST", url: `${url(id)}?name=a.txt`, headers, payload });
      expect([sent.statusCode, sent.json()]).toEqual([
        200,
        { dry_run: true, preview: expect.objectContaining({ name: "a.txt", sha256: sha256(payload) }) },
      ]);
      expect((await other.inject({ url: url(id) })).json().total).toBe(0);
      const { rows } = await sql`SELECT FROM stored_files`.execute(base.db);
      expect(rows).toEqual([]);
    }
    expect(countStored()).toBe(before);
    expect(readdirSync(join(folder, "incoming"))).toEqual([]);
    await other.close();
    await base.close();
  });
});
