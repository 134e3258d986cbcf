import { afterEach, describe, expect, it } from "vitest";
import { type ReportsApp, startReports } from "../../../testing/harness/reports-app.ts";
import { CASE_IDS } from "../../demo/story.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let started: ReportsApp;
afterEach(() => started.platform.close());

async function createCase(title = "Ransomware on FIN-LT-014"): Promise<string> {
  return (await started.post("/cases", { title, severity: "high", description: "<b>bold</b>" })).json().id;
}

describe("reports API", () => {
  it("creates a report and stores it with its audit entry and event in the same transaction", async () => {
    started = await startReports("real");
    const case_id = await createCase();
    const made = await started.post("/reports", { report_type: "investigation", case_id, unknown: 1 });
    expect(made.statusCode).toBe(201);
    const report = made.json();
    expect(report).toEqual({
      id: expect.stringMatching(UUID),
      title: "Ransomware on FIN-LT-014",
      report_type: "investigation",
      case_id,
      format: "markdown",
      status: "completed",
      content_type: "text/markdown; charset=utf-8",
      content: expect.stringContaining("# Ransomware on FIN-LT-014"),
      created_by: "admin",
      created_at: expect.any(String),
    });
    expect(report.content).toContain("&lt;b&gt;bold&lt;/b&gt;");
    expect((await started.get(`/reports/${report.id}`)).json()).toEqual(report);
    const entries = await started.platform.db.selectFrom("audit_log").selectAll().orderBy("at").execute();
    expect(entries.at(-1)).toMatchObject({ actor: "admin", action: "report.created", subject_id: report.id });
    const events = await started.platform.db.selectFrom("outbox").selectAll().orderBy("id").execute();
    expect(events.at(-1)).toMatchObject({ type: "report.created", subject_id: report.id });
  });

  it("lists reports without content, by type, case and format, newest first", async () => {
    started = await startReports("real");
    const case_id = await createCase();
    for (const body of [
      { report_type: "investigation", case_id },
      { report_type: "investigation", case_id, format: "json" },
      { report_type: "executive", format: "html" },
      { report_type: "compliance" },
    ])
      expect((await started.post("/reports", body)).statusCode).toBe(201);
    const all = (await started.get("/reports")).json();
    expect(all).toMatchObject({ total: 4, skip: 0, limit: 50, next_cursor: null });
    expect(all.items.map(({ report_type }: { report_type: string }) => report_type)).toEqual([
      "compliance",
      "executive",
      "investigation",
      "investigation",
    ]);
    expect(all.items[0]).not.toHaveProperty("content");
    expect((await started.get("/reports?report_type=executive")).json().total).toBe(1);
    expect((await started.get(`/reports?case_id=${case_id}&format=json`)).json().total).toBe(1);
    const first = (await started.get("/reports?limit=3")).json();
    await started.post("/reports", { report_type: "executive" });
    const rest = (await started.get(`/reports?limit=3&cursor=${first.next_cursor}`)).json();
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([all.items[3].id]);
  });

  it.each([
    ["markdown", "text/markdown; charset=utf-8", "md", "# "],
    ["html", "text/html; charset=utf-8", "html", "<!doctype html>"],
    ["pdf", "application/pdf", "pdf", "%PDF-1.3"],
    ["json", "application/json; charset=utf-8", "json", '{"'],
  ])("offers a %s download that no browser executes", async (format, type, extension, beginning) => {
    started = await startReports("real");
    const case_id = await createCase('"; filename="evil.exe');
    const { id, created_at } = (
      await started.post("/reports", { report_type: "investigation", case_id, format })
    ).json();
    const file = await started.get(`/reports/${id}/download`);
    expect(file.statusCode).toBe(200);
    expect(file.headers).toMatchObject({
      "content-type": type,
      "content-disposition": `attachment; filename="investigation-${created_at.slice(0, 10)}-${id.slice(-12)}.${extension}"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    });
    expect(file.body.startsWith(beginning)).toBe(true);
  });

  it("refuses an invalid request and names the field", async () => {
    started = await startReports("real");
    const missing = "0197f000-0000-7000-8000-000000000001";
    const refusals: [object, number, RegExp][] = [
      [{}, 400, /^report_type: is required$/],
      [{ report_type: "poem" }, 400, /^report_type: must be one of investigation, executive, compliance$/],
      [{ report_type: "executive", format: "docx" }, 400, /^format: must be one of markdown, html, pdf, json$/],
      [{ report_type: "investigation" }, 400, /^case_id: is required for an investigation$/],
      [{ report_type: "investigation", case_id: "nope" }, 400, /^case_id: /],
      [{ report_type: "investigation", case_id: missing }, 404, /^case '0197f000-.*' does not exist$/],
      [{ report_type: "executive", from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }, 400, /^from: /],
    ];
    for (const [body, status, why] of refusals) {
      const refused = await started.post("/reports", body);
      expect([refused.statusCode, refused.json().detail]).toEqual([status, expect.stringMatching(why)]);
    }
    expect((await started.get("/reports/nope")).statusCode).toBe(404);
    expect((await started.get("/reports/nope/download")).statusCode).toBe(404);
    expect((await started.get("/reports?limit=201")).statusCode).toBe(400);
  });

  it("deletes a report once, for users who may delete cases", async () => {
    started = await startReports("real");
    const { id } = (await started.post("/reports", { report_type: "executive" })).json();
    expect((await started.remove(`/reports/${id}`, "tier3")).statusCode).toBe(403);
    const answers = await Promise.all(Array.from({ length: 5 }, () => started.remove(`/reports/${id}`)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(4);
    expect((await started.get(`/reports/${id}`)).statusCode).toBe(404);
    expect((await started.remove("/reports/nope")).json()).toEqual({ detail: "report 'nope' does not exist" });
  });

  it("includes deletions and their actors in the compliance report", async () => {
    started = await startReports("real");
    const case_id = await createCase("A case that goes");
    await started.remove(`/cases/${case_id}`, "manager");
    const { content } = (await started.post("/reports", { report_type: "compliance" })).json();
    expect(content).toContain("| Deleted cases | 1 |");
    expect(content).toMatch(new RegExp(`\\| manager \\| case.deleted<br>${case_id} \\| title: A case that goes;`));
    expect(content).toContain("| Changes in the audit log | 2 |");
    expect(content).toContain("| Entries waiting for a checkpoint | 1 |");
  });

  it("keeps a report after its case is deleted", async () => {
    started = await startReports("real");
    const case_id = await createCase();
    const { id } = (await started.post("/reports", { report_type: "investigation", case_id })).json();
    expect((await started.remove(`/cases/${case_id}`)).statusCode).toBe(200);
    expect((await started.get(`/reports/${id}`)).json()).toMatchObject({ case_id });
  });

  it("lets readers read, and nobody else write", async () => {
    started = await startReports("real");
    expect((await started.get("/reports", "auditor")).statusCode).toBe(200);
    expect((await started.post("/reports", { report_type: "executive" }, "auditor")).statusCode).toBe(403);
  });

  it("previews the content in dry_run and stores nothing", async () => {
    started = await startReports("dry_run");
    const shown = await started.post("/reports", { report_type: "executive", format: "json" });
    expect(shown.statusCode).toBe(200);
    expect(shown.json()).toMatchObject({ dry_run: true, preview: { report_type: "executive", status: "completed" } });
    expect((await started.get("/reports")).json().total).toBe(0);
    expect(await started.platform.db.selectFrom("audit_log").selectAll().execute()).toEqual([]);
  });
});

describe("playbook step report.generate", () => {
  const context = {
    execution_id: "e",
    playbook_id: "p",
    step_id: "s",
    scope: ALL_SITES,
    actor: "automation",
    alert_id: null,
    idempotencyKey: "e:s:0",
    signal: new AbortController().signal,
  };

  it("describes its effect and creates one report of the execution's case, however often it runs", async () => {
    started = await startReports("real");
    const case_id = await createCase();
    const [action] = started.actions;
    if (action?.kind !== "outside") throw new Error("report.generate holds no transaction of the execution");
    expect(await action.describe({ format: "html" }, { ...context, case_id })).toEqual({
      summary: `Creates a report of type investigation about case ${case_id} as html`,
      sends: [],
    });
    const done = await action.run({ format: "html" }, { ...context, case_id });
    expect(done).toEqual({ report_id: expect.stringMatching(UUID), title: "Ransomware on FIN-LT-014", format: "html" });
    expect((await started.get("/reports")).json()).toMatchObject({ total: 1, items: [{ created_by: "automation" }] });
    const again = [1, 2, 3].map(() => action.run({ format: "html" }, { ...context, case_id }));
    expect(await Promise.all(again)).toEqual([done, done, done]);
    expect((await started.get("/reports")).json().total).toBe(1);
    const other = await action.run({ format: "html" }, { ...context, case_id, idempotencyKey: "e:t:0" });
    expect(other).not.toEqual(done);
    expect((await started.get("/reports")).json().total).toBe(2);
  });

  it("refuses a step without a case", async () => {
    started = await startReports("real");
    await expect(started.actions[0]?.describe({}, { ...context, case_id: null })).rejects.toThrow(
      "case_id: is required for an investigation",
    );
  });
});

describe("reports API without a database", () => {
  it("returns the showcase reports in dummy, rendered on demand", async () => {
    started = await startReports("dummy", "none");
    const { items, total } = (await started.get("/reports")).json();
    expect(total).toBe(6);
    for (const { id, format, title } of items) {
      const report = (await started.get(`/reports/${id}`)).json();
      expect(report).toMatchObject({ title, format });
      const text = Buffer.from(report.content, format === "pdf" ? "base64" : "utf8").toString("latin1");
      expect(text.length).toBeGreaterThan(500);
    }
    expect((await started.get(`/reports?case_id=${CASE_IDS.takeover}`)).json().total).toBe(1);
    expect((await started.post("/reports", { report_type: "executive" })).json()).toEqual({
      detail: "Runtime mode 'dummy' blocks this change",
    });
  });

  it("answers 503 in real", async () => {
    started = await startReports("real", "none");
    expect((await started.get("/reports")).statusCode).toBe(503);
    expect((await started.post("/reports", { report_type: "executive" })).statusCode).toBe(503);
  });
});
