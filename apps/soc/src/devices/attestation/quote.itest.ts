import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flipEveryBit } from "../../../testing/fixtures/flipped-quotes.ts";
import { type SwtpmServer, startSwtpm } from "../../../testing/servers/swtpm.ts";
import { createTpmDevice, type TpmDevice } from "../../../testing/servers/tpm-device.ts";
import { type ExpectedQuote, type GivenQuote, verifyQuote } from "./quote.ts";
import { marshalQuote, parseQuote } from "./tpm/attest.ts";
import { computeName, parsePublic, toChildName, toPrimaryName } from "./tpm/public-area.ts";

const SELECTION = [0, 1, 4, 7];
const EVENT = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";

let tpm: SwtpmServer;
let device: TpmDevice;
beforeAll(async () => {
  tpm = await startSwtpm();
  device = await createTpmDevice(tpm, "ecdsa");
});
afterAll(() => tpm.close());

function toExpected({ ek, ak }: TpmDevice, nonce: Uint8Array): ExpectedQuote {
  const qualifiedNames = [toChildName(toPrimaryName(computeName(ek)), computeName(ak))];
  return { key: ak, qualifiedNames, nonce, selection: SELECTION, last: undefined };
}

const listCodes = (given: GivenQuote, expected: ExpectedQuote) =>
  verifyQuote(given, expected).reasons.map(({ code }) => code);

describe.each(["ecdsa", "rsassa", "rsapss"] as const)("TPM quote with %s", (scheme) => {
  it("verifies a genuine quote", async () => {
    const signer = scheme === "ecdsa" ? device : await createTpmDevice(tpm, scheme);
    const nonce = randomBytes(32);
    const given = await signer.quote(nonce, SELECTION);
    expect(verifyQuote(given, toExpected(signer, nonce))).toMatchObject({ isGenuine: true, reasons: [] });
  });
});

describe("TPM quote verification", () => {
  it("refuses a quote for another nonce, another key or other PCRs", async () => {
    const nonce = randomBytes(32);
    const given = await device.quote(nonce, SELECTION);
    const expected = toExpected(device, nonce);
    const other = await startSwtpm();
    try {
      const stranger = await createTpmDevice(other, "ecdsa");
      expect(listCodes(given, toExpected(stranger, nonce))).toEqual(["wrong_signature", "other_signer"]);
    } finally {
      await other.close();
    }
    expect(listCodes(given, { ...expected, nonce: randomBytes(32) })).toEqual(["other_nonce"]);
    expect(listCodes(given, { ...expected, selection: [0, 1, 4] })).toEqual(["other_pcr_selection"]);
    expect(listCodes({ ...given, pcrs: { ...given.pcrs, 4: EVENT } }, expected)).toEqual(["other_pcr_values"]);
  });

  it("refuses a quote with any flipped bit in quote, signature or PCR values", async () => {
    const nonce = randomBytes(32);
    const given = await device.quote(nonce, SELECTION);
    const accepted = [...flipEveryBit(given)].filter((one) => verifyQuote(one, toExpected(device, nonce)).isGenuine);
    expect(accepted).toEqual([]);
  });

  it("shows what was measured into a PCR", async () => {
    const before = await device.quote(randomBytes(32), SELECTION);
    await tpm.tool("pcrextend", `4:sha256=${EVENT}`);
    const nonce = randomBytes(32);
    const after = await device.quote(nonce, SELECTION);
    expect(verifyQuote(after, toExpected(device, nonce)).isGenuine).toBe(true);
    expect(after.pcrs[4]).not.toBe(before.pcrs[4]);
    expect(listCodes({ ...after, pcrs: before.pcrs }, toExpected(device, nonce))).toEqual(["other_pcr_values"]);
  });

  it("counts resets and refuses an older count", async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const before = await device.quote(first, SELECTION);
    await tpm.restart();
    const after = await device.quote(second, SELECTION);
    const [older, newer] = [parseQuote(before.quote).clockInfo, parseQuote(after.quote).clockInfo];
    expect(newer.resetCount).toBe(older.resetCount + 1);
    expect(verifyQuote(after, { ...toExpected(device, second), last: older }).isGenuine).toBe(true);
    expect(listCodes(before, { ...toExpected(device, first), last: newer })).toEqual(["counter_back"]);
  });
});

describe("forged quotes", () => {
  const attributes = "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|sign";

  it("can be signed by an unrestricted TPM key and fail only because of the key", async () => {
    await tpm.tool("createprimary", "-C", "e", "-c", "free.ctx", "-G", "ecc:ecdsa-sha256", "-a", attributes);
    await tpm.tool("readpublic", "-c", "free.ctx", "-o", "free.pub");
    const key = parsePublic(await tpm.read("free.pub"));
    const nonce = randomBytes(32);
    const real = await device.quote(nonce, SELECTION);
    const good = { ...real.pcrs, 4: EVENT };
    const pcrDigest = createHash("sha256")
      .update(Buffer.from(Object.values(good).join(""), "hex"))
      .digest();
    const quote = marshalQuote({
      ...parseQuote(real.quote),
      qualifiedSigner: toPrimaryName(computeName(key)),
      pcrDigest,
    });
    await tpm.write("forged", quote);
    await tpm.tool("sign", "-c", "free.ctx", "-g", "sha256", "-s", "ecdsa", "-f", "tss", "-o", "forged.sig", "forged");
    const forged = { quote, signature: await tpm.read("forged.sig"), pcrs: good };
    const expected = {
      key,
      qualifiedNames: [toPrimaryName(computeName(key))],
      nonce,
      selection: SELECTION,
      last: undefined,
    };
    expect(listCodes(forged, expected)).toEqual(["key_not_acceptable"]);
  });

  it("are not signed by the restricted key", async () => {
    const signed = ["-g", "sha256", "-s", "ecdsa", "-f", "tss", "-o", "forged.sig", "forged"];
    await expect(tpm.tool("sign", "-c", device.handle, ...signed)).rejects.toThrow(/ticket/i);
  });
});
