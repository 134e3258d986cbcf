import type { CardBody, RegisterCardRequest } from "@player/service/contract/cards";
import { buildTarget, EMPTY_DRAFT, type TargetDraft, toTargetDraft } from "../../app/targets/target-draft.ts";

export interface CardDraft extends Pick<CardBody, "uid" | "name" | "on_repeat" | "on_remove"> {
  target: TargetDraft;
}

export function newCardDraft(uid: string): CardDraft {
  return { uid, name: "", target: EMPTY_DRAFT, on_repeat: "toggle", on_remove: "inherit" };
}

/** The form of a registered card. */
export function toCardDraft({ uid, name, on_repeat, on_remove, binding }: CardBody): CardDraft {
  return { uid, name, on_repeat, on_remove, target: toTargetDraft(binding) };
}

export function missingIn({ name, target }: CardDraft): "name" | "target" | undefined {
  if (name.trim() === "") return "name";
  return buildTarget(target) ? undefined : "target";
}

/** Builds the request; undefined while a field is missing. */
export function buildCardRequest({
  uid,
  name,
  on_repeat,
  on_remove,
  target,
}: CardDraft): RegisterCardRequest | undefined {
  const binding = buildTarget(target);
  if (!binding || name.trim() === "") return undefined;
  return { uid, name: name.trim(), binding, on_repeat, on_remove };
}
