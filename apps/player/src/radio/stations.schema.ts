import Type, { type Static } from "typebox";

export const StationBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    url: Type.String(),
    last_played: Type.Union([Type.Integer(), Type.Null()], { description: "epoch seconds" }),
    last_ok: Type.Union([Type.Integer(), Type.Null()], { description: "epoch seconds; when its audio last played" }),
  },
  { title: "Station" },
);
export type StationBody = Static<typeof StationBody>;
export const StationsBody = Type.Object({ stations: Type.Array(StationBody) }, { title: "StationList" });

export const AddStationRequest = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 100 }), url: Type.String({ minLength: 1, maxLength: 1024 }) },
  { title: "AddStationRequest", additionalProperties: false },
);
export type AddStationRequest = Static<typeof AddStationRequest>;

export const AddStationResult = Type.Object(
  {
    success: Type.Boolean(),
    id: Type.Integer(),
    created: Type.Boolean({ description: "false when the URL existed already; it was renamed" }),
  },
  { title: "AddStationResult" },
);
export const StationParams = Type.Object({ id: Type.String() });
export const RemoveStationResult = Type.Object({ success: Type.Boolean() }, { title: "RemoveStationResult" });
