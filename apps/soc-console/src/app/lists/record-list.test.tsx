import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type AnswerRequest, NEVER, refuse, type ShowOptions, show } from "../../../testing/show.tsx";
import { EmptyState } from "../../design/states.tsx";
import { useApp } from "../context/app-context.ts";
import type { ListResponse } from "../server/server.ts";
import { RecordList, useRecordPages } from "./record-list.tsx";

interface Endpoint {
  id: string;
  name: string;
}

interface HostsProps {
  onOpen?: (key: string) => void;
  isSelectable?: boolean;
  onClearFilter?: () => void;
}

const COLUMNS = [{ key: "name", title: "Host", width: "1fr" }];

function Hosts({ onOpen, isSelectable = true, onClearFilter }: HostsProps) {
  const { server } = useApp();
  const pages = useRecordPages<Endpoint>("endpoints", {}, (query, signal) =>
    server.get<ListResponse<Endpoint>>("/endpoints", { query, signal }),
  );
  return (
    <div style={{ blockSize: 400, display: "grid" }}>
      <RecordList
        label="Endpoints"
        noun="endpoints"
        events="endpoint."
        columns={COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        renderRow={({ name }) => [<span key="name">{name}</span>]}
        renderPane={({ name }) => <h2>{`Facts of ${name}`}</h2>}
        renderActions={isSelectable ? (keys) => <output>{keys.join(" ")}</output> : undefined}
        onOpen={onOpen}
        empty={<EmptyState title="No endpoint has reported yet" />}
        onClearFilter={onClearFilter}
      />
    </div>
  );
}

function listHosts(from: number, count: number): Endpoint[] {
  return Array.from({ length: count }, (_, at) => ({ id: `e${from + at}`, name: `host-${from + at}` }));
}

const THREE = { items: listHosts(1, 3), total: 3, next_cursor: null };
const row = (name: string) => page.getByRole("gridcell", { name, exact: true });
const check = (name: string) => page.getByRole("checkbox", { name: `select: ${name}` });
const grid = page.getByRole("grid", { name: "Endpoints" });
const STATUS = page.getByRole("contentinfo");

async function showHosts({ onOpen, isSelectable, onClearFilter, ...options }: ShowOptions & HostsProps = {}) {
  const props = {
    ...(onOpen && { onOpen }),
    ...(isSelectable !== undefined && { isSelectable }),
    ...(onClearFilter && { onClearFilter }),
  };
  return show(<Hosts {...props} />, { answers: { "GET /endpoints": THREE }, ...options });
}

async function showThree(options: ShowOptions & HostsProps = {}) {
  const shown = await showHosts(options);
  await expect.element(row("host-3")).toBeVisible();
  return shown;
}

/** The names of the selected rows, as a screen reader finds them. */
const readSelected = () =>
  page
    .getByRole("row", { selected: true })
    .elements()
    .map((each) => each.textContent);

const readActive = () =>
  document.getElementById(grid.element().getAttribute("aria-activedescendant") ?? "")?.textContent;

describe("what a list shows", () => {
  it("is busy and states nothing while it has not been read", async () => {
    await showHosts({ answers: { "GET /endpoints": NEVER } });
    await expect.element(grid).toHaveAttribute("aria-busy", "true");
    await expect.element(page.getByText("No endpoint has reported yet")).not.toBeInTheDocument();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
    await expect.element(STATUS).toHaveTextContent(/^$/);
  });

  it("states why it could not be read, with the request id, and reads it again on demand", async () => {
    let isDown = true;
    await showHosts({
      answers: {
        "GET /endpoints": () => (isDown ? refuse(503, "database is not available", { "x-request-id": "r-17" }) : THREE),
      },
    });
    const alert = page.getByRole("alert");
    await expect.element(alert).toHaveTextContent("This could not be read");
    await expect.element(alert).toHaveTextContent("Database is not available.");
    await expect.element(alert).toHaveTextContent("r-17");
    await expect.element(page.getByText("No endpoint has reported yet")).not.toBeInTheDocument();
    await expect.element(STATUS).toHaveTextContent(/^$/);
    isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.element(row("host-1")).toBeVisible();
    await expect.element(alert).not.toBeInTheDocument();
  });

  it("states that there is none only when the service has answered so", async () => {
    await showHosts({ answers: { "GET /endpoints": { items: [], total: 0, next_cursor: null } } });
    await expect.element(page.getByText("No endpoint has reported yet")).toBeVisible();
    await expect.element(grid).not.toHaveAttribute("aria-busy");
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
    await expect.element(STATUS).toHaveTextContent("0 of 0");
  });

  it("offers to clear the filter when nothing matches it", async () => {
    let cleared = 0;
    await showHosts({
      answers: { "GET /endpoints": { items: [], total: 0, next_cursor: null } },
      onClearFilter: () => {
        cleared += 1;
      },
    });
    await expect.element(page.getByText("Nothing matches")).toBeVisible();
    await expect.element(page.getByText("No endpoint has reported yet")).not.toBeInTheDocument();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    expect(cleared).toBe(1);
  });

  it("keeps the rows of the first page and states that the next one could not be read", async () => {
    let isDown = true;
    const answer = ({ query }: AnswerRequest) => {
      if (!query.has("cursor")) return { items: listHosts(1, 100), total: 103, next_cursor: "page-2" };
      return isDown
        ? refuse(503, "database is not available")
        : { items: listHosts(101, 3), total: 103, next_cursor: null };
    };
    await showHosts({ answers: { "GET /endpoints": answer } });
    await expect.element(row("host-1")).toBeVisible();
    await expect.element(STATUS).toHaveTextContent("100 of 103");
    grid.element().scrollTop = grid.element().scrollHeight;
    await expect.element(row("host-100")).toBeVisible();
    const alert = page.getByRole("alert");
    await expect.element(alert).toHaveTextContent("Database is not available.");
    isDown = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.element(STATUS).toHaveTextContent("103 of 103");
    await expect.element(alert).not.toBeInTheDocument();
  });

  it("reads each further page once, by the cursor of the page before", async () => {
    const cursors: (string | null)[] = [];
    const answer = ({ query }: AnswerRequest) => {
      const cursor = query.get("cursor");
      cursors.push(cursor);
      const from = cursor === null ? 1 : Number(cursor);
      return { items: listHosts(from, 100), total: 300, next_cursor: from < 201 ? String(from + 100) : null };
    };
    await showHosts({ answers: { "GET /endpoints": answer } });
    await expect.element(row("host-1")).toBeVisible();
    await expect.element(grid).toHaveAttribute("aria-rowcount", "301");
    await grid.click();
    for (const shown of ["200 of 300", "300 of 300"]) {
      await userEvent.keyboard("{End}");
      await expect.element(STATUS).toHaveTextContent(shown);
    }
    await userEvent.keyboard("{End}");
    await expect.element(row("host-300")).toBeVisible();
    expect(cursors).toEqual([null, "101", "201"]);
  });
});

// docs/operations/console.md, "Keys": `j` `k` move, `Space` shows the pane, `Enter` opens, `x` selects.
describe("the keys of a list", () => {
  it("moves the cursor by j and k, and stops at both ends", async () => {
    await showThree();
    await userEvent.keyboard("j");
    await expect.poll(readActive).toBe("host-1");
    await userEvent.keyboard("j");
    await expect.poll(readActive).toBe("host-2");
    await userEvent.keyboard("jjj");
    await expect.poll(readActive).toBe("host-3");
    await userEvent.keyboard("kkkk");
    await expect.poll(readActive).toBe("host-1");
  });

  it("shows the pane by Space, which follows the cursor, and closes it by Escape", async () => {
    const { address } = await showThree();
    await userEvent.keyboard("j ");
    await expect.element(page.getByRole("heading", { name: "Facts of host-1" })).toBeVisible();
    await userEvent.keyboard("j");
    await expect.element(page.getByRole("heading", { name: "Facts of host-2" })).toBeVisible();
    expect(address()).toBe("?pane=e2");
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByRole("heading", { name: "Facts of host-2" })).not.toBeInTheDocument();
  });

  it("opens the row under the cursor by Enter", async () => {
    const opened: string[] = [];
    await showThree({ onOpen: (key) => opened.push(key) });
    await userEvent.keyboard("jj{Enter}");
    await expect.poll(() => opened).toEqual(["e2"]);
  });

  it("selects by x, extends by Shift and j, and clears on demand", async () => {
    await showThree();
    await userEvent.keyboard("jx");
    await expect.poll(readSelected).toEqual(["host-1"]);
    await expect.element(page.getByText("1 selected")).toBeVisible();
    await userEvent.keyboard("{Shift>}j{/Shift}");
    await expect.poll(readSelected).toEqual(["host-1", "host-2"]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(readSelected).toEqual([]);
  });
});

describe("the pointer in a list", () => {
  it("selects one row by its check box and a range by a click with Shift", async () => {
    await showThree();
    await check("host-1").click();
    await expect.poll(readSelected).toEqual(["host-1"]);
    await row("host-1").click();
    await row("host-3").click({ modifiers: ["Shift"] });
    await expect.poll(readSelected).toEqual(["host-1", "host-2", "host-3"]);
    await expect.element(grid).toHaveFocus();
    expect(document.getSelection()?.isCollapsed).not.toBe(false);
  });

  it("has no check boxes and no key for them where nothing can be done with a selection", async () => {
    await showThree({ isSelectable: false });
    await userEvent.keyboard("jx");
    await expect.poll(readActive).toBe("host-1");
    expect(readSelected()).toEqual([]);
    await expect.element(page.getByRole("checkbox")).not.toBeInTheDocument();
  });
});

it("holds back changes until they are asked for, so that rows do not move", async () => {
  let hosts = listHosts(1, 3);
  const { emit } = await showThree({
    answers: { "GET /endpoints": () => ({ items: hosts, total: 3, next_cursor: null }) },
  });
  hosts = listHosts(2, 3);
  const event = {
    type: "endpoint.updated",
    actor: null,
    subject_type: "endpoint",
    at: "2026-11-19T10:00:00Z",
    data: {},
  };
  emit([
    { ...event, subject_id: "e1" },
    { ...event, subject_id: "e1" },
    { ...event, subject_id: "e2" },
    { ...event, type: "case.updated", subject_id: "c1" },
  ]);
  const pill = page.getByRole("button", { name: "2 changed · press . to show" });
  await expect.element(pill).toBeVisible();
  await expect.element(row("host-1")).toBeVisible();
  await userEvent.keyboard(".");
  await expect.element(row("host-4")).toBeVisible();
  await expect.element(pill).not.toBeInTheDocument();
});

it("places the pane at the left of the list in Arabic", async () => {
  await show(<Hosts />, { language: "ar", address: "/?pane=e1", answers: { "GET /endpoints": THREE } });
  const heading = page.getByRole("heading", { name: "Facts of host-1" });
  await expect.element(heading).toBeVisible();
  expect(document.documentElement.dir).toBe("rtl");
  expect(heading.element().getBoundingClientRect().right).toBeLessThan(
    grid.element().getBoundingClientRect().right - 100,
  );
});
