import { describe, expect, it } from "vitest";
import { CASE, createSampleKey, createSampleLedger } from "../../../testing/fixtures/sample-ledger.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { signCheckpoint } from "./ledger.ts";
import { verifyBundle } from "./verify.ts";
import { compareWithCheckpoints } from "./witnesses.ts";

const key = createSampleKey();
const EARLIER = "2020-01-01T00:00:00.000Z";
const LATER = "2999-01-01T00:00:00.000Z";
const ACCEPTED = JSON.stringify({ accepted_by: "noor", reason: "restored" });

async function verifySample(length: number) {
  const bundle = await createSampleLedger(key, length).bundle(CASE);
  return { bundle, verdict: await verifyBundle(bundle, { sha256, verifyEd25519 }) };
}

function formatCheckpointLine(tree_size: number, root_hash: string, at: string, signer: LedgerKey = key): string {
  return `${JSON.stringify(signCheckpoint(signer, { tree_size, root_hash, at }))}\n`;
}

describe("comparison of a bundle with external checkpoints", () => {
  it("accepts a bundle that includes the checkpoints or is older than them", async () => {
    const { bundle, verdict } = await verifySample(3);
    const { tree_size = 0, root_hash = "" } = bundle.checkpoint ?? {};
    const witnesses =
      formatCheckpointLine(tree_size, root_hash, EARLIER) + formatCheckpointLine(tree_size + 4, "ab".repeat(32), LATER);
    expect(compareWithCheckpoints(verdict, witnesses)).toEqual(verdict);
  });

  it("refuses a bundle whose database was set back and names both sizes", async () => {
    const { verdict } = await verifySample(3);
    expect(compareWithCheckpoints(verdict, formatCheckpointLine(9, "ab".repeat(32), EARLIER))).toMatchObject({
      isGenuine: false,
      fault: { message: `the ledger had 9 entries at ${EARLIER}, but this later export knows 5: it was set back` },
    });
  });

  it("refuses a bundle with a different history of the same size", async () => {
    const { verdict } = await verifySample(3);
    const { fault } = compareWithCheckpoints(verdict, formatCheckpointLine(5, "ab".repeat(32), EARLIER)) as {
      fault?: { message: string };
    };
    expect(fault?.message).toBe(`its first 5 entries differ from those signed at ${EARLIER}`);
  });

  it("refuses a bundle when a checkpoint was signed by another key", async () => {
    const { verdict } = await verifySample(3);
    const foreign = formatCheckpointLine(5, "ab".repeat(32), EARLIER, createSampleKey());
    expect(compareWithCheckpoints(verdict, foreign)).toMatchObject({
      fault: { message: expect.stringContaining("not signed by") },
    });
  });

  it("ignores checkpoints from before an accepted restore", async () => {
    const { verdict } = await verifySample(3);
    expect(
      compareWithCheckpoints(verdict, `${formatCheckpointLine(9, "ab".repeat(32), EARLIER)}${ACCEPTED}\n`),
    ).toEqual(verdict);
  });
});
