import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answer, PENDING, Refusal, show, TOKEN, UNREACHABLE } from "../../../testing/show.tsx";
import { NetworkList } from "./network-list.tsx";

const onChoose = vi.fn();
const NETWORKS = {
  networks: [
    { ssid: "Home", signal: 90, security: "wpa" },
    { ssid: "Café", signal: 20, security: "open" },
    { ssid: "Office", signal: 60, security: "enterprise" },
  ],
};
const NONE = "The player finds no network here. Move it closer to your router, or enter the name below.";
const FAILED = "The player could not search for networks. Enter the name below.";
const state = page.getByRole("status");

function open(answer: Answer, { chosen = "", token = TOKEN } = {}) {
  onChoose.mockClear();
  return show(<NetworkList chosen={chosen} onChoose={onChoose} />, {
    answers: { "GET /settings/wifi/networks": answer },
    token,
  });
}

describe("the list of Wi-Fi networks", () => {
  it("asks nothing of the device before the browser is unlocked", async () => {
    const { sent } = open(NETWORKS, { token: "" });
    await expect.element(page.getByRole("button", { name: /^Show networks in range/ })).toBeVisible();
    expect(sent).toEqual([]);
  });

  it.each<[string, Answer, string]>([
    ["searches", PENDING, "Searching for networks…"],
    ["finds none", { networks: [] }, NONE],
    ["does not answer", UNREACHABLE, FAILED],
    ["cannot search", new Refusal(503), FAILED],
  ])("says so when the device %s", async (_what, answer, text) => {
    open(answer);
    await expect.element(state).toHaveTextContent(text);
    expect(page.getByRole("list", { name: "Networks in range" }).elements()).toEqual([]);
  });

  it("lists the networks, marks the chosen one, and lets only supported ones be chosen", async () => {
    open(NETWORKS, { chosen: "Home" });
    await expect.element(page.getByRole("button", { name: /^Home/ })).toHaveAttribute("aria-pressed", "true");
    await expect.element(page.getByRole("button", { name: /^Office/ })).toBeDisabled();
    await userEvent.click(page.getByRole("button", { name: /^Café/ }));
    expect(onChoose).toHaveBeenCalledExactlyOnceWith("Café");
    await expect.element(state).toHaveTextContent(/^$/);
  });

  it("keeps the networks on the page when a later search fails, and says that it failed", async () => {
    const { answers } = open(NETWORKS);
    await expect.element(page.getByRole("button", { name: /^Home/ })).toBeVisible();
    answers["GET /settings/wifi/networks"] = UNREACHABLE;
    await userEvent.click(page.getByRole("button", { name: "Search again" }));
    await expect.element(state).toHaveTextContent(FAILED);
    await expect.element(page.getByRole("button", { name: /^Home/ })).toBeVisible();
  });
});
