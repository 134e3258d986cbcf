import Type, { type Static } from "typebox";

export const PairingBody = Type.Object(
  {
    open: Type.Boolean({ description: "whether the device accepts a code now" }),
    paired: Type.Boolean({
      description: "false until the first person has paired; until then the screen shows the QR code, if there is one",
    }),
    expires_in_s: Type.Union([Type.Integer(), Type.Null()], {
      description: "when pairing closes; null while it is closed",
    }),
    ways: Type.Object(
      {
        screen: Type.Boolean({
          description: "the screen shows a QR code to scan, and six digits as well while pairing is open",
        }),
        console: Type.Boolean({ description: "`command` on the device opens pairing and prints six digits" }),
        sound: Type.Boolean({
          description: "opening pairing by the button plays the code as tones: 3 for a 3, 10 for a 0",
        }),
        button: Type.Boolean({ description: "holding a key for `hold_s` seconds opens pairing" }),
      },
      { description: "what a person in front of this device can do" },
    ),
    hold_s: Type.Union([Type.Integer(), Type.Null()], {
      description: "for how many seconds a person holds the button; null without a button",
    }),
    command: Type.Union([Type.String(), Type.Null()], {
      description: "the command that opens pairing on the device itself; null if it cannot",
    }),
  },
  { title: "Pairing" },
);
export type PairingBody = Static<typeof PairingBody>;

export const PairingRequest = Type.Object(
  { code: Type.String({ pattern: "^[0-9]{6}$" }) },
  { title: "PairingRequest", additionalProperties: false },
);

export const PairingResult = Type.Object(
  {
    success: Type.Boolean(),
    token: Type.String({ description: "the device's token" }),
  },
  { title: "PairingResult" },
);
