import type { CardBody } from "@player/service/contract/cards";
import { useMemo } from "preact/hooks";
import { useApp, useResource } from "../../app/app.ts";
import { createResource, type Reading } from "../../app/live/resource.ts";

export interface Cards {
  reading: Reading<CardBody[]>;
  refresh: () => Promise<void>;
}

/** The registered cards. Asks for the token again when the device rejects it. */
export function useCards(): Cards {
  const { api, live, commands } = useApp();
  const cards = useMemo(
    () =>
      createResource(
        async () => (await commands.unlocked(() => api.get<{ cards: CardBody[] }>("/rfid/cards"))).cards,
        live.cardsRevision,
      ),
    [api, live, commands],
  );
  return { reading: useResource(cards), refresh: cards.refresh };
}
