import type { TokenBody, TokenRequest } from "@soc/service/contract/identity/auth/auth";
import { type Answer, isRecord, readAnswer, type Send } from "../../../app/api/answer.ts";

export type RequestToken = (request: TokenRequest) => Promise<Answer<TokenBody>>;

function isTokenBody(body: unknown): body is TokenBody {
  return isRecord(body) && typeof body.access_token === "string";
}

export function createRequestToken(send: Send): RequestToken {
  return (request) =>
    readAnswer(
      send("/api/v1/auth/token", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      }),
      isTokenBody,
    );
}
