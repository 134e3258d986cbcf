import type { CardBody } from "@player/service/contract/cards";
import { describe, expect, it } from "vitest";
import { buildCardRequest, missingIn, newCardDraft, toCardDraft } from "./card-draft.ts";

const CARD: CardBody = {
  uid: "04A1B2C3",
  name: "Al-Kahf",
  binding: { type: "surah", reciter: "Husary", surah: 18, volume: 40 },
  on_repeat: "restart",
  on_remove: "pause",
};

describe("the form of a card", () => {
  it("requests the same again when nothing is changed", () => {
    expect(buildCardRequest(toCardDraft(CARD))).toEqual(CARD);
  });

  it("reports a missing name first, then a missing target", () => {
    const empty = newCardDraft("04A1B2C3");
    expect(missingIn(empty)).toBe("name");
    expect(missingIn({ ...empty, name: "  " })).toBe("name");
    expect(missingIn({ ...empty, name: "Al-Kahf" })).toBe("target");
    expect(buildCardRequest({ ...empty, name: "Al-Kahf" })).toBeUndefined();
    expect(missingIn(toCardDraft(CARD))).toBeUndefined();
  });
});
