import { readFileSync } from "node:fs";
import { findUnquoted, type UncheckedQuotes } from "@kit/testing/contract";
import { expect, it } from "vitest";
import { document, ENDPOINTS } from "./document.ts";

const OPEN = "leaves the choice to the product";

const UNCHECKED: UncheckedQuotes = [
  [
    "This document covers the audio-player appliance's local API: playback, library, favorites, radio stations, NFC cards, prayer times, scheduler, settings and system, firmware update and debug.",
    "introduces the sections, which are checked",
  ],
  ["Document 2 covers the security-operations platform API.", "is about another product"],
  ["Item fields: not shown.", OPEN],
  ["Field names of the map: not shown.", OPEN],
  ["Record fields beyond the identifier and the play count: not shown.", OPEN],
  ["Record fields beyond the identifier: not shown.", OPEN],
  ["Its field names: not shown.", OPEN],
  ["The format of target and the fields of a listed schedule: not shown.", OPEN],
  ["The complete list of setting names: not shown.", OPEN],
  [
    "Transitions into buffering, automatic transitions at the end of a track, and the meaning of OTA status strings: not shown.",
    OPEN,
  ],
  ["Bit order of the days mask: not shown.", OPEN],
  [
    "Response bodies of mutating routes other than those stated above: not shown beyond the success object and the error object.",
    OPEN,
  ],
  ["Other WebSocket message names and payloads: not shown.", OPEN],
  ["The default-class budget and request body size limits: not shown.", OPEN],
  ["Versioning policy and compatibility rules: not shown.", OPEN],
];

it("quotes every row and every sentence of the document, or says why it cannot be checked", () => {
  expect(findUnquoted(document, import.meta.dirname, UNCHECKED)).toEqual([]);
});

it("reads the same routes from the document as the list of the product", () => {
  const { player } = JSON.parse(readFileSync(new URL("../../../../docs/api/routes.json", import.meta.url), "utf8"));
  const read = ENDPOINTS.map(({ method, path, needsToken }) => {
    return `${method} /api${path.split("?")[0]} ${needsToken ? "token" : "none"}`;
  });
  expect(read.toSorted()).toEqual(player.toSorted());
});
