import type { CardBody, RegisterCardRequest } from "@player/service/contract/cards";
import { draftOf, EMPTY_DRAFT, type TargetDraft, targetOf } from "../../app/targets/target-draft.ts";

export interface CardDraft extends Pick<CardBody, "uid" | "name" | "on_repeat" | "on_remove"> {
  target: TargetDraft;
}

export function newCardDraft(uid: string): CardDraft {
  return { uid, name: "", target: EMPTY_DRAFT, on_repeat: "toggle", on_remove: "inherit" };
}

/** The form for a card that is known already. */
export function cardDraftOf({ uid, name, on_repeat, on_remove, binding }: CardBody): CardDraft {
  return { uid, name, on_repeat, on_remove, target: draftOf(binding) };
}

export function missingIn({ name, target }: CardDraft): "name" | "target" | undefined {
  if (name.trim() === "") return "name";
  return targetOf(target) ? undefined : "target";
}

/** What to ask the device for; undefined while something is missing. */
export function requestOf({ uid, name, on_repeat, on_remove, target }: CardDraft): RegisterCardRequest | undefined {
  const binding = targetOf(target);
  if (!binding || name.trim() === "") return undefined;
  return { uid, name: name.trim(), binding, on_repeat, on_remove };
}
