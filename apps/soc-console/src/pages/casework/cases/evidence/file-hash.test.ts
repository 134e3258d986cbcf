import { describe, expect, it } from "vitest";
import { canHash, hashFile } from "./file-hash.ts";

describe("the hash of a file", () => {
  // FIPS 180-4: the SHA-256 examples and the empty message.
  it.each([
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("hashes '%s' to %s", async (text, hash) => {
    expect(await hashFile(new Blob([text]))).toBe(hash);
  });

  it("leaves hashing to the platform if the file is too large for a browser", () => {
    expect([canHash({ size: 5 }), canHash({ size: 2 ** 31 })]).toEqual([true, false]);
  });
});
