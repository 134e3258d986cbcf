import { createDecipheriv } from "node:crypto";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { describe, expect, it } from "vitest";
import { createSeal } from "../../foundation/records/seal.ts";
import { createSealing } from "./sealing.ts";

const CHANNEL = "0197f000-0000-7000-8000-000000000001";
const OTHER = "0197f000-0000-7000-8000-000000000002";
const KEY = Buffer.alloc(32, 7);
const SETTINGS = { url: "https://chat.example/hooks/T0/a-long-key", secret: "a secret of ours" };

const ids = createIds(createClock());
const sealing = createSealing(createSeal(KEY, ids));

describe("sealed channel secrets", () => {
  it("encrypts with AES-256-GCM for one channel and decrypts again", () => {
    const stored = sealing.seal(CHANNEL, SETTINGS);
    expect(Object.keys(stored)).toEqual(["sealed"]);
    expect(sealing.open(CHANNEL, stored)).toEqual(SETTINGS);
    const bytes = Buffer.from(stored.sealed?.replace(/^v1\./, "") ?? "", "base64url");
    const decipher = createDecipheriv("aes-256-gcm", KEY, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(CHANNEL)).setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    expect(JSON.parse(text)).toEqual(SETTINGS);
  });

  it("encrypts differently each time", () => {
    expect(sealing.seal(CHANNEL, SETTINGS).sealed).not.toBe(sealing.seal(CHANNEL, SETTINGS).sealed);
  });

  it("refuses decryption for another channel, with another key or after a change", () => {
    const stored = sealing.seal(CHANNEL, SETTINGS);
    const { sealed = "" } = stored;
    expect(sealing.open(OTHER, stored)).toEqual({});
    expect(createSealing(createSeal(Buffer.alloc(32, 8), ids)).open(CHANNEL, stored)).toEqual({});
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    for (const at of [0, 12, 28, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(sealing.open(CHANNEL, { sealed: `v1.${changed.toString("base64url")}` })).toEqual({});
    }
    for (const wrong of ["", "v1.", "v1.AAAA", `v2.${sealed.slice(3)}`]) {
      expect(sealing.open(CHANNEL, { sealed: wrong })).toEqual({});
    }
  });

  it("reads plain text of an earlier release and keeps mail addresses plain", () => {
    expect(sealing.open(CHANNEL, SETTINGS)).toEqual(SETTINGS);
    const mail = { to: ["soc@manara.example"] };
    expect(sealing.seal(CHANNEL, mail)).toEqual(mail);
  });

  it("requires a key of 32 bytes", () => {
    expect(() => createSealing(createSeal(Buffer.alloc(31), ids))).toThrow(
      /^SOC_CHANNELS_KEY_FILE: must hold 32 bytes$/,
    );
  });
});
