import { useEffect, useRef } from "react";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Badge } from "../../../../design/chip.tsx";
import type { Citation, Sentence, SentenceState } from "./sentences.ts";
import { storyPhrases } from "./story-phrases.ts";

const MAX_MARKS = 6;
const TONES = { not_shown: "waiting", refuted: "failed" } as const;

export interface StoryViewProps {
  sentences: readonly Sentence[];
  /** The sentence whose evidence is shown. */
  at: number | undefined;
  /** The user selected a sentence: scroll it into view. */
  isChosen: boolean;
  onChoose: (at: number) => void;
}

/** The findings as sentences, each with the marks of its events and a warning if they do not support it. */
export function StoryView({ sentences, at, isChosen, onChoose }: StoryViewProps) {
  const words = usePhrases(storyPhrases);
  return (
    <ol className="story" aria-label={words.story}>
      {sentences.map((sentence, index) => (
        <StorySentence
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences never move.
          key={index}
          sentence={sentence}
          isCurrent={index === at}
          isScrolledTo={isChosen && index === at}
          onChoose={() => onChoose(index)}
        />
      ))}
    </ol>
  );
}

interface StorySentenceProps {
  sentence: Sentence;
  isCurrent: boolean;
  isScrolledTo: boolean;
  onChoose: () => void;
}

function StorySentence({ sentence, isCurrent, isScrolledTo, onChoose }: StorySentenceProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isScrolledTo) item.current?.scrollIntoView({ block: "nearest" });
  }, [isScrolledTo]);
  return (
    <li ref={item} className={`story-sentence story-${sentence.state}`}>
      <button type="button" className="story-button" aria-current={isCurrent} onClick={onChoose}>
        <span className="story-text">
          <SafeText>{sentence.text}</SafeText>
        </span>{" "}
        <Marks citations={sentence.citations} />
        <StateBadge state={sentence.state} />
      </button>
    </li>
  );
}

/** `[1][2]`; unknown events are crossed out. */
function Marks({ citations }: { citations: readonly Citation[] }) {
  const words = usePhrases(storyPhrases);
  const hidden = citations.length - MAX_MARKS;
  return (
    <bdi className="story-marks" dir="ltr">
      {citations.slice(0, MAX_MARKS).map(({ id, number, isMissing }) => (
        <span
          key={id}
          className={isMissing ? "story-mark story-mark-missing" : "story-mark"}
          title={isMissing ? words.missing : fill(words.evidenceNumber, { number })}
        >
          [{number}
          {isMissing && "?"}]
        </span>
      ))}
      {hidden > 0 && <span className="story-mark">+{hidden}</span>}
    </bdi>
  );
}

export function StateBadge({ state }: { state: SentenceState }) {
  const words = usePhrases(storyPhrases);
  if (state === "shown") return null;
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
