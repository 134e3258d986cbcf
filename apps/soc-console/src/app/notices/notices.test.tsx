import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { show } from "../../../testing/show.tsx";
import { type NoticeContent, useNotices } from "./notices.tsx";

function Buttons({ notices }: { notices: readonly NoticeContent[] }) {
  const { notify } = useNotices();
  return notices.map((notice) => (
    <button key={notice.text} type="button" onClick={() => void notify(notice)}>
      {`Do ${notice.text}`}
    </button>
  ));
}

const readTexts = () => [...document.querySelectorAll(".notices-text")].map(({ textContent }) => textContent);
const press = (text: string) => page.getByRole("button", { name: `Do ${text}`, exact: true }).click();

it("shows a notice as a status, and removes it when its time is over", async () => {
  await show(<Buttons notices={[{ text: "Saved", tone: "ok", forMs: 300 }]} />);
  await press("Saved");
  await expect.element(page.getByRole("status").getByText("Saved", { exact: true })).toBeVisible();
  await expect.poll(readTexts).toEqual([]);
});

it("keeps a failure until it is closed, also while other notices come and go", async () => {
  const others = ["one", "two", "three", "four", "five"].map((text) => ({ text, tone: "ok" as const, forMs: 200 }));
  await show(<Buttons notices={[{ text: "Not sent", tone: "failed", forMs: 100 }, ...others]} />);
  await press("Not sent");
  for (const { text } of others) await press(text);
  await vi.waitFor(() => expect(readTexts()).toEqual(["Not sent"]));
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(readTexts).toEqual([]);
});

it("shows at most four notices, the newest last", async () => {
  const notices = ["one", "two", "three", "four", "five"].map((text) => ({ text, tone: "plain" as const }));
  await show(<Buttons notices={notices} />);
  for (const { text } of notices) await press(text);
  await expect.poll(readTexts).toEqual(["two", "three", "four", "five"]);
});

it("runs the action of a notice once, and closes it", async () => {
  let undone = 0;
  const action = {
    label: "Undo",
    run: () => {
      undone += 1;
    },
  };
  await show(<Buttons notices={[{ text: "Assigned", tone: "ok", action }]} />);
  await press("Assigned");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(readTexts).toEqual([]);
  expect(undone).toBe(1);
});
