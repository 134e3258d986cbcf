import type { SteppedUpBody } from "@soc/service/contract/identity/auth/auth";
import type { AssertionBody, RequestOptionsBody } from "@soc/service/contract/identity/webauthn/webauthn";
import type { Server } from "../../../app/server/server.ts";

export const stepUpByCode = (server: Server, code: string) => server.post<SteppedUpBody>("/auth/step-up", { code });

export const stepUpByKey = (server: Server, webauthn: AssertionBody) =>
  server.post<SteppedUpBody>("/auth/step-up", { webauthn });

export const requestStepUpOptions = (server: Server) => server.post<RequestOptionsBody>("/auth/step-up/options");
