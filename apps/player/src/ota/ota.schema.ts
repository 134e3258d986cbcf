import Type, { type Static } from "typebox";

export const OTA_STATUSES = [
  "idle",
  "downloading",
  "receiving",
  "verifying",
  "installing",
  "rebooting",
  "confirming",
  "success",
  "failed",
  "rolled_back",
] as const;
export type OtaStatus = (typeof OTA_STATUSES)[number];

export const OTA_MODES = ["pull", "upload"] as const;
export type OtaMode = (typeof OTA_MODES)[number];

export const OtaBody = Type.Object(
  {
    in_progress: Type.Boolean(),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: "progress of the whole update" }),
    mode: Type.Enum([...OTA_MODES, "idle"], { description: "idle unless an update is in progress" }),
    status: Type.Enum([...OTA_STATUSES], { description: "a result stays until the next update begins" }),
    error: Type.String({ description: "empty, or why the last update failed or was rolled back" }),
  },
  { title: "UpdateStatus" },
);
export type OtaBody = Static<typeof OtaBody>;

export const PullRequest = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 1024 }) },
  { title: "PullUpdateRequest", additionalProperties: false },
);
export const OtaResult = Type.Object({ success: Type.Boolean(), ...OtaBody.properties }, { title: "UpdateResult" });
