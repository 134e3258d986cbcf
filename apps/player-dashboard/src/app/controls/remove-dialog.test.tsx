import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { Refusal, type ShowOptions, show, TOKEN, UNREACHABLE } from "../../../testing/show.tsx";
import { useApp } from "../app.ts";
import { RemoveDialog } from "./remove-dialog.tsx";

const onClose = vi.fn();

function Question() {
  const { api } = useApp();
  return (
    <RemoveDialog
      title="Delete the station?"
      question="Cards that play it stay silent."
      yes="Delete"
      keep="Keep"
      removed="Station deleted."
      remove={() => api.remove("/stations/1")}
      onClose={onClose}
    />
  );
}

function ask(answer: NonNullable<ShowOptions["answers"]>[string], token = TOKEN) {
  onClose.mockClear();
  return show(<Question />, { answers: { "DELETE /stations/1": answer }, token });
}
const remove = page.getByRole("button", { name: /^Delete/ });

it("removes, confirms it and closes", async () => {
  const { notices } = ask({});
  await userEvent.click(remove);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(notices()).toEqual(["done: Station deleted."]);
});

it.each([
  ["refuses with 404", new Refusal(404), "refused: Your choice no longer exists. Choose again."],
  ["does not answer", UNREACHABLE, "refused: The player did not respond. Nothing was changed."],
])("reports the failure and confirms nothing when the device %s", async (_what, answer, notice) => {
  const { notices } = ask(answer);
  await userEvent.click(remove);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(notices()).toEqual([notice]);
});

it.each(["Keep", "Close"])("sends nothing after %s", async (name) => {
  const { sent } = ask({});
  await userEvent.click(page.getByRole("button", { name }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(sent).toEqual([]);
});

it("asks a browser without the token to unlock first, and sends nothing if that is declined", async () => {
  const { sent, notices } = ask({}, "");
  await expect.element(remove).toHaveAccessibleName("Delete (locked, asks for the token)");
  await userEvent.click(remove);
  await userEvent.click(page.getByRole("button", { name: "Not now" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent.filter(({ method }) => method === "DELETE")).toEqual([]);
  expect(notices()).toEqual([]);
});
