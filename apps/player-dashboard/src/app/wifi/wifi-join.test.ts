import { describe, expect, it } from "vitest";
import { buildNextAddress, canJoin, findJoinState, findNetworkProblem, findStrength } from "./wifi-join.ts";

const joining = { ssid: "Majlis", former: "Home", sinceSeconds: 100, isRefused: false };
const inNetwork = (ssid: string) => ({ ssid, wifi_connected: ssid !== "" });

describe("joining a network", () => {
  it.each([
    ["has just begun", joining, inNetwork("Home"), 101, "joining"],
    ["has just begun in the same network", { ...joining, ssid: "Home" }, inNetwork("Home"), 101, "joining"],
    ["is between both", joining, inNetwork(""), 140, "joining"],
    ["has arrived", joining, inNetwork("Majlis"), 104, "joined"],
    ["has arrived in the same network", { ...joining, ssid: "Home" }, inNetwork("Home"), 110, "joined"],
    ["was refused", { ...joining, isRefused: true }, inNetwork("Home"), 102, "returned"],
    [
      "was refused by its own network",
      { ...joining, ssid: "Home", isRefused: true },
      inNetwork("Home"),
      110,
      "returned",
    ],
    ["took too long", joining, inNetwork("Home"), 175, "returned"],
    ["failed with no network to return to", { ...joining, former: "", isRefused: true }, inNetwork(""), 120, "alone"],
  ] as const)("reports the outcome: %s", (_name, begun, settings, nowSeconds, state) => {
    expect(findJoinState(begun, settings, { nowSeconds, isReachable: true })).toBe(state);
  });

  it.each([104, 140, 175, 500])(
    "reports an unknown outcome at second %i while this phone cannot reach the player",
    (nowSeconds) => {
      const first = { ...joining, former: "" };
      expect(findJoinState(first, inNetwork(""), { nowSeconds, isReachable: false })).toBe("unknown");
    },
  );

  it.each([
    ["8443", "secret", "https://manara-1.local:8443/#secret"],
    ["", undefined, "https://manara-1.local/"],
  ])("continues at the player's name (port %j, token %j)", (port, token, address) => {
    expect(buildNextAddress("manara-1", port, token)).toBe(address);
  });
});

describe("a network", () => {
  it.each([
    [100, "strong"],
    [60, "strong"],
    [59, "medium"],
    [35, "medium"],
    [34, "weak"],
    [0, "weak"],
  ])("rates a signal of %i as %s", (signal, strength) => {
    expect(findStrength(signal)).toBe(strength);
  });

  it("allows joining unless the network needs a user name or uses WEP", () => {
    expect((["open", "wpa", "wpa3", "enterprise", "wep"] as const).filter(canJoin)).toEqual(["open", "wpa", "wpa3"]);
  });

  it.each([
    [{ ssid: "", password: "" }, "ssidEmpty"],
    [{ ssid: "م".repeat(17), password: "" }, "ssidLong"],
    [{ ssid: "م".repeat(16), password: "" }, undefined],
    [{ ssid: "Home", password: "seven77" }, "passwordForm"],
    [{ ssid: "Home", password: "eight888" }, undefined],
    [{ ssid: "Home", password: "ثمانية أحرف" }, "passwordForm"],
    [{ ssid: "Home", password: "f".repeat(64) }, undefined],
    [{ ssid: "Home", password: "g".repeat(64) }, "passwordForm"],
  ])("finds the problem of %j: %s", (network, problem) => {
    expect(findNetworkProblem(network)).toBe(problem);
  });
});
