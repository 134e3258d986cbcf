import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { statusWith } from "../../../testing/playback-status.ts";
import { Refusal, type ShowOptions, show } from "../../../testing/show.tsx";
import { useApp } from "../../app/app.ts";
import { Volume } from "./volume.tsx";

function Page() {
  const status = useApp().live.playback.view.value;
  return status ? <Volume status={status} /> : null;
}
function open(options: ShowOptions = {}) {
  const shown = show(<Page />, { answers: { "POST /playback/volume": {} }, ...options });
  shown.app.live.playback.report(statusWith({ volume: 40 }));
  return shown;
}
const slider = page.getByRole("slider", { name: "Volume" });
async function focusSlider(): Promise<void> {
  await expect.element(slider).toBeVisible();
  slider.element().focus();
}

it("shows the volume of the device, and follows it", async () => {
  const { app } = open();
  await expect.element(slider).toHaveValue("40");
  await expect.element(slider).toHaveAttribute("aria-valuetext", "40%");
  app.live.playback.report(statusWith({ volume: 55 }));
  await expect.element(slider).toHaveValue("55");
});

it("sends the value of a key at once", async () => {
  const { sent } = open();
  await focusSlider();
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => sent).toMatchObject([{ path: "/playback/volume", body: { volume: 41 } }]);
  await expect.element(slider).toHaveValue("41");
});

it("sends only the last of many values, after a pause that leaves the device room for other commands", async () => {
  const { sent } = open();
  await focusSlider();
  for (let press = 0; press < 8; press += 1) await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => sent.at(-1)?.body).toEqual({ volume: 48 });
  expect(sent.length).toBeLessThan(8);
});

it("returns to the volume of the device when the device refuses, and says why", async () => {
  const { notices } = open({ answers: { "POST /playback/volume": new Refusal(500) } });
  await focusSlider();
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(notices).toHaveLength(1);
  await expect.element(slider).toHaveValue("40");
});

it("ends at the owner's limit, and names it", async () => {
  const { sockets } = open();
  sockets.say("settings", { max_volume: 60 });
  await expect.element(slider).toHaveAttribute("max", "60");
  await expect.element(page.getByText("Volume is limited to 60%.")).toBeVisible();
});

it("reads the value in Arabic digits in Arabic", async () => {
  open({ language: "ar" });
  await expect.element(page.getByRole("slider", { name: "الصوت" })).toHaveAttribute("aria-valuetext", "٤٠٪");
});
