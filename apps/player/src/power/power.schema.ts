import Type, { type Static } from "typebox";

export const BatteryBody = Type.Object(
  {
    present: Type.Boolean(),
    voltage: Type.Number({ description: "volts" }),
    percentage: Type.Integer({ minimum: 0, maximum: 100 }),
    charging: Type.Boolean({ description: "also when it is full and still on its charger" }),
  },
  { title: "Battery" },
);
export type BatteryBody = Static<typeof BatteryBody>;

const WakesAt = Type.Union([Type.Integer(), Type.Null()], {
  description: "epoch seconds; null: only the button wakes the device",
});

export const SleepResult = Type.Object({ success: Type.Boolean(), wakes_at: WakesAt }, { title: "SleepResult" });

/** Sent to clients when the state of the whole device changes. */
export const SystemChange = Type.Object({
  phase: Type.Enum(["sleeping", "awake", "reset"]),
  wakes_at: WakesAt,
});
export type SystemChange = Static<typeof SystemChange>;
