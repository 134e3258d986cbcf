import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answer, PENDING, Refusal, show, TOKEN, UNREACHABLE } from "../../../testing/show.tsx";
import { useUploadQueue } from "../../app/uploads/upload-queue.ts";
import { QueueList } from "./queue-list.tsx";

const YA_SIN = { kind: "recitation", reciter: "Husary", surah: 36 } as const;
const DONE = { id: "u1", complete: true, offset: 4, path: "Husary/036.mp3" };

function Page() {
  const queue = useUploadQueue();
  return (
    <>
      <button type="button" onClick={() => queue.add(new File(["abcd"], "036.mp3"), YA_SIN)}>
        Add
      </button>
      <QueueList />
    </>
  );
}

/** Adds Ya-Sin to the queue; the device answers the new upload like this. */
async function add(answer: Answer, token = TOKEN) {
  const shown = show(<Page />, { answers: { "POST /uploads": answer }, token });
  await expect.element(page.getByRole("heading", { name: "Progress" })).not.toBeInTheDocument();
  await userEvent.click(page.getByRole("button", { name: "Add" }));
  return shown;
}
const row = page.getByRole("listitem");
const state = row.getByRole("status");

describe("the list of files on their way", () => {
  it("names the file while the device has not answered, and cancels it", async () => {
    await add(PENDING);
    await expect.element(row).toHaveTextContent("Ya-Sin, ⁨Husary⁩");
    await expect.element(state).toHaveTextContent("0 bytes of 4 bytes");
    await userEvent.click(row.getByRole("button", { name: /^Cancel/ }));
    await expect.element(row).not.toBeInTheDocument();
  });

  it("keeps a second file waiting, and continues one that was paused", async () => {
    await add(PENDING);
    await userEvent.click(page.getByRole("button", { name: "Add" }));
    await expect.element(state.nth(1)).toHaveTextContent("Waiting");
    await userEvent.click(row.nth(1).getByRole("button", { name: /^Pause/ }));
    await expect.element(state.nth(1)).toHaveTextContent("Paused");
    await userEvent.click(row.nth(1).getByRole("button", { name: /^Continue/ }));
    await expect.element(state.nth(1)).toHaveTextContent("Waiting");
  });

  it("says that the device does not respond instead of that it refused", async () => {
    await add(UNREACHABLE);
    await expect.element(state).toHaveTextContent("The player does not respond. Trying again.");
    await expect.element(row.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });

  it("offers to play a file that is on the card, and removes only its row", async () => {
    const { sent } = await add(DONE);
    await expect.element(state).toHaveTextContent("On the card");
    await expect.element(row.getByRole("progressbar")).not.toBeInTheDocument();
    await expect.element(row.getByRole("link", { name: "Show in library" })).toHaveAttribute("href", "/library/Husary");
    await userEvent.click(row.getByRole("button", { name: "Play" }));
    await expect.poll(() => sent.at(-1)).toMatchObject({ path: "/playback/play", body: { path: "Husary/036.mp3" } });
    await userEvent.click(row.getByRole("button", { name: /^Remove from this list/ }));
    await expect.element(row).not.toBeInTheDocument();
    expect(sent.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  it("replaces an existing file only after the user agreed", async () => {
    const { sent, answers } = await add(new Refusal(409, "file_exists"));
    await expect.element(state).toHaveTextContent("It is on the card already. Replace it?");
    expect(sent.at(-1)?.body).toMatchObject({ replace: false, bytes: 4 });
    answers["POST /uploads"] = DONE;
    await userEvent.click(row.getByRole("button", { name: "Replace" }));
    await expect.element(state).toHaveTextContent("On the card");
    expect(sent.at(-1)?.body).toMatchObject({ replace: true });
  });

  it.each([
    ["card_full", "The memory card does not have enough space.", true],
    ["type_refused", "The player cannot play this file.", false],
  ])("explains the refusal %s, and offers another try only if it may help", async (code, text, mayHelp) => {
    await add(new Refusal(409, code));
    await expect.element(state).toHaveTextContent(text);
    expect(row.getByRole("button", { name: "Try again" }).elements()).toHaveLength(mayHelp ? 1 : 0);
  });

  it("pauses a file if the owner does not unlock the player", async () => {
    const { sent } = await add(DONE, "");
    await userEvent.click(page.getByRole("button", { name: "Not now" }));
    await expect.element(state).toHaveTextContent("Paused");
    expect(sent.filter(({ path }) => path === "/uploads")).toEqual([]);
  });
});
