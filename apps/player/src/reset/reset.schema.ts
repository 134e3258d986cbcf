import Type from "typebox";

export const ResetResult = Type.Object({ success: Type.Boolean() }, { title: "ResetResult" });
