import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SwtpmServer, startSwtpm } from "../../../../testing/servers/swtpm.ts";
import { activateCredential } from "../../../../testing/servers/tpm-device.ts";
import { type Credential, makeCredential } from "./credential.ts";
import { computeName, marshalPublic, parsePublic, toChildName, toPrimaryName } from "./public-area.ts";

let tpm: SwtpmServer;
beforeAll(async () => {
  tpm = await startSwtpm();
});
afterAll(() => tpm.close());

const activate = (type: string, credential: Credential) =>
  activateCredential(tpm, { ak: `${type}-ak.ctx`, ek: `${type}-ek.ctx` }, credential);

describe.each(["ecc", "rsa"] as const)("credentials for a TPM with an %s endorsement key", (type) => {
  beforeAll(async () => {
    await tpm.tool("createek", "-c", `${type}-ek.ctx`, "-G", type, "-u", `${type}-ek.pub`);
    const [scheme, files] = [type === "ecc" ? "ecdsa" : "rsassa", ["-u", `${type}-ak.pub`, "-n", `${type}-ak.name`]];
    const key = ["-c", `${type}-ak.ctx`, "-G", type, "-g", "sha256", "-s", scheme];
    await tpm.tool("createak", "-C", `${type}-ek.ctx`, ...key, ...files, "-q", `${type}-ak.qualified`);
  });

  const readKeys = async () => ({
    ek: parsePublic(await tpm.read(`${type}-ek.pub`)),
    ak: parsePublic(await tpm.read(`${type}-ak.pub`)),
  });

  it("use the names that the TPM gives to its keys", async () => {
    const { ek, ak } = await readKeys();
    expect(computeName(ak)).toEqual(await tpm.read(`${type}-ak.name`));
    expect(toChildName(toPrimaryName(computeName(ek)), computeName(ak))).toEqual(
      await tpm.read(`${type}-ak.qualified`),
    );
    expect(marshalPublic(ek)).toEqual(await tpm.read(`${type}-ek.pub`));
    expect(marshalPublic(ak)).toEqual(await tpm.read(`${type}-ak.pub`));
  });

  it("can be decrypted by the TPM", async () => {
    const { ek, ak } = await readKeys();
    const content = randomBytes(32);
    expect(await activate(type, makeCredential(ek, computeName(ak), content, randomBytes(32)))).toEqual(content);
  });

  it("cannot be decrypted when made for another attestation key", async () => {
    const { ek, ak } = await readKeys();
    const other = computeName({ ...ak, attributes: ak.attributes & ~(1 << 16) });
    await expect(activate(type, makeCredential(ek, other, randomBytes(32), randomBytes(32)))).rejects.toThrow(
      /integrity check failed/,
    );
  });

  it("cannot be decrypted when made for another endorsement key", async () => {
    const { ak } = await readKeys();
    const other = await startSwtpm();
    try {
      await other.tool("createek", "-c", "ek.ctx", "-G", type, "-u", "ek.pub");
      const credential = makeCredential(
        parsePublic(await other.read("ek.pub")),
        computeName(ak),
        randomBytes(32),
        randomBytes(32),
      );
      await expect(activate(type, credential)).rejects.toThrow(/TPM|tpm/);
    } finally {
      await other.close();
    }
  });
});
