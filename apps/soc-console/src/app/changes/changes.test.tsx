import { useState } from "react";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type AnswerRequest, NEVER, refuse, type ShowOptions, show } from "../../../testing/show.tsx";
import { TextField } from "../../design/field.tsx";
import { useApp } from "../context/app-context.ts";
import type { ChangeResult } from "../server/server.ts";
import { ConfirmChange } from "./confirm-change.tsx";
import { FormDialog, useForm } from "./form-dialog.tsx";
import { ChangesProvider } from "./use-changes.tsx";

interface Site {
  name: string;
}

function RenameDialog({ onDone }: { onDone: (site: Site) => void }) {
  const { server } = useApp();
  const form = useForm<Site, Site>({
    initial: { name: "Berlin" },
    before: { name: "Berlin" },
    ask: (typed) => server.put<ChangeResult<Site>>("/sites/1", typed),
    hasField: (field) => field === "name",
    onDone,
  });
  return (
    <FormDialog
      title="Rename the site"
      verb="Rename"
      form={form}
      isIncomplete={form.typed.name === ""}
      className="form"
      onClose={() => undefined}
    >
      <TextField
        label="Name"
        value={form.typed.name}
        error={form.findError("name")}
        onChange={(event) => form.type({ name: event.target.value })}
      />
    </FormDialog>
  );
}

function Page({ done }: { done: Site[] }) {
  const [isOpen, setIsOpen] = useState(true);
  const close = (site: Site) => {
    done.push(site);
    setIsOpen(false);
  };
  return <ChangesProvider needs="alerts:write">{isOpen && <RenameDialog onDone={close} />}</ChangesProvider>;
}

async function showRename(options: ShowOptions) {
  const done: Site[] = [];
  const shown = await show(<Page done={done} />, options);
  await expect.element(name).toHaveFocus();
  return { ...shown, done };
}

const name = page.getByRole("textbox", { name: "Name" });
const verb = (label: string) => page.getByRole("button", { name: label, exact: true });

describe("a form that sends one change", () => {
  it("sends what was typed by Enter, and closes with the answer", async () => {
    const { done, requests } = await showRename({ answers: { "PUT /sites/1": ({ body }: AnswerRequest) => body } });
    await name.fill("Munich");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => done).toEqual([{ name: "Munich" }]);
    expect(requests.filter((request) => request.name === "PUT /sites/1")).toEqual([
      { name: "PUT /sites/1", body: { name: "Munich" } },
    ]);
    await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  });

  it("cannot be sent while it is incomplete", async () => {
    const { requests } = await showRename({});
    await name.clear();
    await expect.element(verb("Rename")).toBeDisabled();
    await userEvent.keyboard("{Enter}");
    expect(requests.some((request) => request.name === "PUT /sites/1")).toBe(false);
  });

  it("sends once however often its button is pressed while it waits", async () => {
    const { requests } = await showRename({ answers: { "PUT /sites/1": NEVER } });
    await verb("Rename").click();
    await expect.element(verb("Rename")).toHaveAttribute("aria-busy", "true");
    await verb("Rename").click({ force: true });
    await name.click();
    await userEvent.keyboard("{Enter}{Enter}");
    await expect.element(verb("Rename")).toHaveAttribute("aria-busy", "true");
    expect(requests.filter((request) => request.name === "PUT /sites/1")).toHaveLength(1);
  });

  it("shows a refusal at its field and keeps what was typed", async () => {
    const taken = refuse(409, "name: 'Munich' exists", { "problem-field": "name" });
    await showRename({ answers: { "PUT /sites/1": taken } });
    await name.fill("Munich");
    await verb("Rename").click();
    await expect.element(name).toHaveAccessibleDescription("name: 'Munich' exists");
    await expect.element(name).toHaveValue("Munich");
    await expect.element(page.getByText("The action failed")).not.toBeInTheDocument();
  });

  it("shows a refusal that is about no field as a notice", async () => {
    await showRename({ answers: { "PUT /sites/1": refuse(503, "database is not available") } });
    await verb("Rename").click();
    await expect.element(page.getByText("The action failed: Database is not available.")).toBeInTheDocument();
    await expect.element(name).toBeVisible();
  });

  it("is a preview in dry run: it shows what would change, and is not done", async () => {
    const answer = { dry_run: true, preview: { name: "Munich" } };
    const { done } = await showRename({ mode: "dry_run", answers: { "PUT /sites/1": answer } });
    await name.fill("Munich");
    await verb("Preview").click();
    const preview = page.getByRole("dialog", { name: "Preview: nothing was changed" });
    await expect.element(preview.getByRole("deletion")).toHaveTextContent("Berlin");
    await expect.element(preview.getByRole("insertion")).toHaveTextContent("Munich");
    expect(done).toEqual([]);
  });
});

describe("a confirmation", () => {
  async function showConfirm(onConfirm: () => Promise<void>) {
    let closes = 0;
    await show(
      <ConfirmChange
        title="Remove the channel"
        label="Remove"
        onConfirm={onConfirm}
        onClose={() => {
          closes += 1;
        }}
      >
        Its deliveries end.
      </ConfirmChange>,
    );
    return () => closes;
  }

  it("confirms once while the change is under way", async () => {
    let confirms = 0;
    await showConfirm(() => {
      confirms += 1;
      return NEVER();
    });
    await verb("Remove").click();
    await expect.element(verb("Remove")).toHaveAttribute("aria-busy", "true");
    await verb("Remove").click({ force: true });
    expect(confirms).toBe(1);
  });

  it("changes nothing by Cancel and by Escape", async () => {
    let confirms = 0;
    const readCloses = await showConfirm(async () => {
      confirms += 1;
    });
    await verb("Cancel").click();
    await userEvent.keyboard("{Escape}");
    await expect.poll(readCloses).toBe(2);
    expect(confirms).toBe(0);
  });
});
