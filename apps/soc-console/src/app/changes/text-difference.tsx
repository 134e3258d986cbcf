import { compareLines } from "@kit/query/line-difference";
import { useMemo } from "react";
import { useNumbers, usePhrases } from "../language/language-context.tsx";
import { SafeText } from "../text/safe-text-view.tsx";
import { changesPhrases } from "./changes-phrases.ts";
import { foldSame } from "./fold-same.ts";
import "./changes.css";

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

/** A line diff of two versions of a text, with unchanged lines folded. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const words = usePhrases(changesPhrases);
  const { count } = useNumbers();
  const lines = useMemo(() => foldSame(compareLines(before.split("\n"), after.split("\n"))), [before, after]);
  if (before === after) return <p className="soft">{words.noDifference}</p>;
  return (
    <ul className="line-difference" aria-label={words.difference}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move.
        <li key={index} className={`line-${line.kind}`}>
          {line.kind === "gap" ? (
            count(line.count, words.sameLines)
          ) : (
            <>
              {SIGNS[line.kind]} <SafeText>{line.text}</SafeText>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
