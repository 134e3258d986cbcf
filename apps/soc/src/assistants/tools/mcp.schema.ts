import Type from "typebox";
import { AgentId } from "./tools.schema.ts";

/** The agent that uses this address; its permissions restrict each call. */
export const McpQuery = Type.Object({ agent_id: Type.Optional(AgentId) });

/** One JSON-RPC message. The SDK validates it. */
export const McpMessage = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

/** RFC 9728. */
export const ProtectedResourceBody = Type.Object(
  {
    resource: Type.String(),
    resource_name: Type.String(),
    bearer_methods_supported: Type.Array(Type.String()),
  },
  { title: "ProtectedResource" },
);
