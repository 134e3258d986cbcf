import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSubscribed } from "./channel.ts";
import { waitSecondsAfter } from "./delivery.ts";
import { buildMessage, computeSignature, escapeChatText } from "./message.ts";

const AT = "2026-11-15T13:00:00.000Z";

describe("notification messages", () => {
  it.each([
    [
      "approval.requested",
      { action: "Isolate WS-0142", requested_by: "sara", expires_at: AT },
      "Approval needed: Isolate WS-0142 (7; requested by sara, expires 2026-11-15T13:00:00.000Z)",
    ],
    ["approval.decided", { action: "Isolate WS-0142", status: "rejected" }, "Approval rejected: Isolate WS-0142 (7)"],
    ["alert.created", { title: "Beacon" }, "alert.created: Beacon (7)"],
    ["alert.created", { title: "a\u001b[31m\u202eexe" }, "alert.created: a[U+001B][31m[U+202E]exe (7)"],
    ["alert.created", {}, "alert.created: 7"],
    ["rule.updated", { name: 5 }, "rule.updated: 7"],
  ])("formats %s with %j as: %s", (type, data, text) => {
    expect(buildMessage({ type, subject_id: "7", at: AT, data })).toEqual({
      type,
      subject_id: "7",
      at: AT,
      data,
      text,
    });
  });

  it("truncates a message without splitting a character", () => {
    const { text } = buildMessage({
      type: "alert.created",
      subject_id: "7",
      at: AT,
      data: { title: "😀".repeat(5000) },
    });
    expect(Array.from(text)).toHaveLength(4000);
    expect(text.endsWith("😀")).toBe(true);
  });

  it("cannot mention people in a chat room or hide the target of a link", () => {
    expect(escapeChatText("<!channel> <https://evil.example|our wiki> & @all @here a@b")).toBe(
      "&lt;!channel&gt; &lt;https://evil.example|our wiki&gt; &amp; @\u200ball @\u200bhere a@\u200bb",
    );
  });

  it("signs a message with its time and body", () => {
    const expected = createHmac("sha256", "sixteen letters!").update('1794747600.{"a":1}').digest("hex");
    expect(computeSignature("sixteen letters!", '{"a":1}', new Date("2026-11-15T13:00:00.999Z"))).toBe(
      `t=1794747600,v1=${expected}`,
    );
  });
});

it.each([
  [["approval.requested"], true, "approval.requested", true],
  [["approval.*"], true, "approval.requested", true],
  [["approval.*"], false, "approval.requested", false],
  [["approval.requested"], true, "approval.decided", false],
  [["alert.*"], true, "approval.decided", false],
  [[], true, "approval.decided", false],
])(
  "checks whether a channel with events %j (enabled: %s) subscribes to %s: %s",
  (events, enabled, type, isNotified) => {
    expect(isSubscribed({ events, enabled }, type)).toBe(isNotified);
  },
);

it("doubles the wait after each attempt, up to one hour", () => {
  expect([1, 2, 3, 7, 30].map(waitSecondsAfter)).toEqual([10, 20, 40, 640, 3600]);
});
