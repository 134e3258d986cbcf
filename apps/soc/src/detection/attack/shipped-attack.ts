import { type Matrix, readAttack } from "./attack.ts";
import { SHIPPED_ATTACK } from "./attack-v18.ts";

/** The matrices shipped with the product, used until others are imported. */
export function readShippedAttack(): Matrix[] {
  return readAttack(
    Object.fromEntries(
      Object.entries(SHIPPED_ATTACK).map(([matrix, { tactics, techniques }]) => [
        matrix,
        {
          tactics: splitEntries(tactics).map((entry) => {
            const [id = "", shortname = "", ...name] = entry.split(" ");
            return { id, shortname, name: name.join(" ") };
          }),
          techniques: Object.entries(techniques).flatMap(([shortnames, entries]) =>
            splitEntries(entries).map((entry) => {
              const [id = "", ...name] = entry.split(" ");
              return { id, name: name.join(" "), tactics: shortnames.split(" ") };
            }),
          ),
        },
      ]),
    ),
  );
}

function splitEntries(text: string): string[] {
  return text
    .split("|")
    .map((entry) => entry.trim().replaceAll(/\s+/g, " "))
    .filter((entry) => entry !== "");
}
