import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  CardParams,
  CardsBody,
  RegisterCardRequest,
  RegisterCardResult,
  RemoveCardResult,
  ScanBody,
} from "./cards.schema.ts";
import type { CardsService } from "./cards.service.ts";
import type { TapsService } from "./taps.service.ts";

// A known UID can be copied to another card, so even reading UIDs requires the token.
const read = { access: "token", budget: "read" } as const;
const mutation = { access: "token", budget: "mutation" } as const;

export function rfidRoutes(cards: CardsService, taps: Pick<TapsService, "scan">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/rfid/cards",
      { config: read, schema: { operationId: "listCards", summary: "List cards", response: { 200: CardsBody } } },
      async () => ({
        cards: cards.list(),
      }),
    );
    app.post(
      "/rfid/cards",
      {
        config: mutation,
        schema: {
          operationId: "registerCard",
          summary: "Register a card",
          body: RegisterCardRequest,
          response: { 200: RegisterCardResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await cards.register(body)) }),
    );
    app.delete(
      "/rfid/cards/:uid",
      {
        config: mutation,
        schema: {
          operationId: "deleteCard",
          summary: "Delete a card",
          description: "404 if unknown.",
          params: CardParams,
          response: { 200: RemoveCardResult },
        },
      },
      async ({ params }) => {
        cards.remove(params.uid);
        return { success: true };
      },
    );
    app.get(
      "/rfid/scan",
      {
        config: read,
        schema: { operationId: "getLastTap", summary: "Get the last card tap", response: { 200: ScanBody } },
      },
      async () => taps.scan(),
    );
  };
}
