import type {
  ConfirmedBody,
  EnrolRequest,
  FactorBody,
  FactorsBody,
  NewTotpBody,
  RecoveryCodesBody,
} from "@soc/service/contract/identity/factors/factors";
import type { AttestationBody, CreationOptionsBody } from "@soc/service/contract/identity/webauthn/webauthn";
import type { ChangeResult, Server } from "../../../app/server/server.ts";

export const FACTORS_KEY = ["factors", "list"] as const;

export type Factor = FactorBody;

export const readFactors = (server: Server, signal?: AbortSignal) => server.get<FactorsBody>("/me/factors", { signal });

export const enrolTotp = (server: Server, request: EnrolRequest) =>
  server.post<ChangeResult<NewTotpBody>>("/me/factors/totp", request);

export const confirmTotp = (server: Server, id: string, code: string) =>
  server.post<ChangeResult<ConfirmedBody>>(`/me/factors/totp/${id}/confirm`, { code });

export const requestNewKeyOptions = (server: Server, current_password: string | undefined) =>
  server.post<CreationOptionsBody>("/me/factors/webauthn/options", { current_password });

export const addKey = (server: Server, name: string, credential: AttestationBody) =>
  server.post<ChangeResult<ConfirmedBody>>("/me/factors/webauthn", { ...(name !== "" && { name }), credential });

export const renameFactor = (server: Server, id: string, name: string) =>
  server.patch<ChangeResult<FactorBody>>(`/me/factors/${id}`, { name });

export const removeFactor = (server: Server, id: string) =>
  server.remove<ChangeResult<{ deleted: boolean; id: string }>>(`/me/factors/${id}`);

export const renewRecoveryCodes = (server: Server) =>
  server.post<ChangeResult<RecoveryCodesBody>>("/me/factors/recovery-codes");
