import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { readRecordings } from "../../../../testing/fixtures/recorded-quotes.ts";
import { marshalQuote, parseQuote } from "./attest.ts";
import { ATTRIBUTES, marshalPublic, parsePublic, toKeyObject } from "./public-area.ts";
import { parseSignature } from "./signature.ts";

const { publics, ecdsa, rsassa, rsapss, ek, rsaEk } = readRecordings();
const quotes = [ecdsa, rsassa, rsapss];

const STRUCTURES = [
  ...publics.map((bytes) => ({ name: "public", bytes, parse: parsePublic })),
  ...quotes.map(({ given }) => ({ name: "quote", bytes: Buffer.from(given.quote), parse: parseQuote })),
  ...quotes.map(({ given }) => ({ name: "signature", bytes: Buffer.from(given.signature), parse: parseSignature })),
];

function findRefused(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.field;
    throw error;
  }
}

describe.each(STRUCTURES)("recorded structure: $name", ({ name, bytes, parse }) => {
  it("names the truncated field, wherever the structure is truncated", () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(findRefused(() => parse(bytes.subarray(0, length)))).toMatch(new RegExp(`^${name}\\.\\w`));
    }
  });

  it("refuses a byte after the end", () => {
    expect(findRefused(() => parse(Buffer.concat([bytes, Buffer.alloc(1)])))).toBe(name);
  });
});

describe("TPM public area", () => {
  it("marshals to the parsed bytes", () => {
    for (const bytes of publics) expect(marshalPublic(parsePublic(bytes))).toEqual(bytes);
  });

  it("refuses or reproduces the bytes, whichever bit is flipped", () => {
    for (const bytes of publics) {
      for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        let isWritten = false;
        const field = findRefused(() => {
          isWritten = marshalPublic(parsePublic(flipped)).equals(flipped);
        });
        if (!isWritten) expect(field, `bit ${bit}`).toMatch(/^public/);
      }
    }
  });

  it("has the attributes of the TCG's templates", () => {
    const storage = ["fixedTPM", "fixedParent", "sensitiveDataOrigin", "adminWithPolicy", "restricted", "decrypt"];
    const listNames = ({ attributes }: { attributes: number }) =>
      Object.entries(ATTRIBUTES)
        .filter(([, bit]) => (attributes & bit) !== 0)
        .map(([name]) => name);
    expect(listNames(ek)).toEqual(storage);
    expect(listNames(rsaEk)).toEqual(storage);
  });

  it("refuses a key that is not a point of the curve", () => {
    const { key } = ecdsa.expected;
    if (key.key.type !== "ecc") throw new Error("recorded as ecc");
    const moved = { ...key, key: { ...key.key, y: Buffer.alloc(32, 1) } };
    expect(findRefused(() => toKeyObject(moved))).toBe("public.unique");
  });
});

describe("TPM quote structure", () => {
  it("marshals to the parsed bytes", () => {
    for (const { given } of quotes) expect(marshalQuote(parseQuote(given.quote))).toEqual(given.quote);
  });
});
