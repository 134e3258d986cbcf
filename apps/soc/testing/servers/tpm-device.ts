import type { GivenQuote } from "../../src/devices/attestation/quote.ts";
import type { Credential } from "../../src/devices/attestation/tpm/credential.ts";
import { type PublicArea, parsePublic, type SigningScheme } from "../../src/devices/attestation/tpm/public-area.ts";
import type { SwtpmServer } from "./swtpm.ts";

export interface TpmDevice {
  scheme: SigningScheme;
  ek: PublicArea;
  ak: PublicArea;
  /** Where the TPM keeps the attestation key. */
  handle: string;
  quote(nonce: Uint8Array, selection: readonly number[]): Promise<GivenQuote>;
}

const HANDLES = { ecdsa: "0x81010002", rsassa: "0x81010003", rsapss: "0x81010004" } as const;
const DIGEST_BYTES = 32;

/** The TPM operations of a device: an endorsement key, an attestation key below it, and quotes. */
export async function createTpmDevice(tpm: SwtpmServer, scheme: SigningScheme): Promise<TpmDevice> {
  const type = scheme === "ecdsa" ? "ecc" : "rsa";
  const [ek, ak] = ["ek", `${scheme}-ak`];
  // An RSA key would take seconds.
  await tpm.tool("createek", "-c", `${ek}.ctx`, "-G", "ecc", "-u", `${ek}.pub`);
  const keys = ["-C", `${ek}.ctx`, "-c", `${ak}.ctx`, "-u", `${ak}.pub`];
  await tpm.tool("createak", ...keys, "-G", type, "-g", "sha256", "-s", scheme);
  const handle = HANDLES[scheme];
  // A context file is lost with a reset of the TPM.
  await tpm.tool("evictcontrol", "-C", "o", "-c", `${ak}.ctx`, handle);
  return {
    scheme,
    ek: parsePublic(await tpm.read(`${ek}.pub`)),
    ak: parsePublic(await tpm.read(`${ak}.pub`)),
    handle,
    async quote(nonce, selection) {
      const what = ["-l", `sha256:${selection.join(",")}`, "-q", Buffer.from(nonce).toString("hex")];
      const files = ["-m", "quote", "-s", "signature", "-o", "pcrs", "-F", "values"];
      await tpm.tool("quote", "-c", handle, ...what, ...files, "-g", "sha256", "--scheme", scheme);
      const values = await tpm.read("pcrs");
      const pcrs = selection.map((index, place) => {
        const value = values.subarray(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
        return [index, value.toString("hex")];
      });
      return {
        quote: await tpm.read("quote"),
        signature: await tpm.read("signature"),
        pcrs: Object.fromEntries(pcrs),
      };
    },
  };
}

/** The header of the file in which tpm2-tools expect a credential. */
const FILE_MAGIC = Buffer.from("badcc0de00000001", "hex");

/** Makes the TPM open a credential; rejects if it refuses. */
export async function activateCredential(
  tpm: SwtpmServer,
  { ak, ek }: { ak: string; ek: string },
  { credentialBlob, secret }: Credential,
): Promise<Buffer> {
  await tpm.write("credential", Buffer.concat([FILE_MAGIC, credentialBlob, secret]));
  await tpm.tool("startauthsession", "--policy-session", "-S", "session");
  try {
    await tpm.tool("policysecret", "-S", "session", "-c", "e");
    const opened = ["-c", ak, "-C", ek, "-i", "credential", "-o", "opened"];
    await tpm.tool("activatecredential", ...opened, "-P", "session:session");
  } finally {
    await tpm.tool("flushcontext", "session");
  }
  return tpm.read("opened");
}

export function openCredential(tpm: SwtpmServer, { scheme }: TpmDevice, credential: Credential): Promise<Buffer> {
  return activateCredential(tpm, { ak: HANDLES[scheme], ek: "ek.ctx" }, credential);
}
