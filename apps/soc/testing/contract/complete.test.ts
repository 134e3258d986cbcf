import { findUnquoted } from "@kit/testing/contract";
import { expect, it } from "vitest";
import { document } from "./platform-contract.ts";
import { UNCHECKED } from "./unverified-sentences.ts";

it("quotes every row and sentence of the contract in a check, or explains why it cannot be checked", () => {
  expect(findUnquoted(document, import.meta.dirname, UNCHECKED)).toEqual([]);
});
