import Type, { type Static } from "typebox";

export const PairingBody = Type.Object({
  open: Type.Boolean({ description: "whether the device accepts a code now" }),
  paired: Type.Boolean({ description: "false until the first person has paired; until then pairing stays open" }),
  expires_in_s: Type.Union([Type.Integer(), Type.Null()], { description: "when the code changes or pairing closes" }),
  ways: Type.Object(
    {
      screen: Type.Boolean({ description: "the screen shows a QR code and six digits" }),
      console: Type.Boolean({ description: "the console shows six digits" }),
      sound: Type.Boolean({ description: "opening pairing by hand plays the code as tones: 3 for a 3, 10 for a 0" }),
      button: Type.Boolean({ description: "holding a key for two seconds opens pairing" }),
    },
    { description: "how a person in front of this device gets a code" },
  ),
});
export type PairingBody = Static<typeof PairingBody>;

export const PairingRequest = Type.Object(
  { code: Type.String({ pattern: "^[0-9]{6}$" }) },
  { additionalProperties: false },
);

export const PairingResult = Type.Object({
  success: Type.Boolean(),
  token: Type.String({ description: "the device's token" }),
});

export const CodeResult = Type.Object({
  success: Type.Boolean(),
  code: Type.String({ description: "six digits for another browser of the owner's; each code works once" }),
  expires_in_s: Type.Integer(),
});
export type CodeResult = Static<typeof CodeResult>;
