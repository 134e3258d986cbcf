import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../../foundation/caller/caller.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { readDevice } from "../auth/device.ts";
import { formatCookie } from "../sessions/session.ts";
import type { ConfirmedBody } from "./factors.schema.ts";

/** The first factor ends every session. The browser that added it gets a new one. */
export async function reopenAfterFirst(
  auth: Pick<AuthService, "reopenSession">,
  request: FastifyRequest,
  reply: FastifyReply,
  { dry_run, result }: Outcome<ConfirmedBody>,
): Promise<void> {
  if (dry_run || result.recovery_codes === null) return;
  const sessionId = await auth.reopenSession(readDevice(request), callerOf(request), true);
  if (sessionId !== undefined) reply.header("set-cookie", formatCookie(sessionId));
}
