import type { ReadonlySignal } from "@preact/signals";
import type { LanguageChoice } from "../language/language-choice.ts";
import { LanguageSwitch } from "../language/language-switch.tsx";
import { Mark } from "../mark.tsx";
import { AwayBanner } from "./away-banner.tsx";
import { Readings } from "./readings.tsx";
import { StartUp } from "./start-up.tsx";
import { Summary } from "./summary.tsx";
import "./system.css";
import { lastSystemOf, type SystemReading } from "./system-reading.ts";

export interface SystemPageProps {
  choice: LanguageChoice;
  reading: ReadonlySignal<SystemReading>;
  tryNow: () => void;
}

export function SystemPage({ choice, reading, tryNow }: SystemPageProps) {
  const phrases = choice.phrases.value;
  const now = reading.value;
  const system = lastSystemOf(now);
  return (
    <div class="page">
      <header class="top">
        <Mark />
        <h1 class="product">
          {phrases.product}{" "}
          <span class="product-aside" lang={phrases.language === "ar" ? "en" : "ar"}>
            {phrases.productAside}
          </span>
        </h1>
        <LanguageSwitch language={phrases.language} speak={choice.speak} />
      </header>
      <main class="content" aria-busy={now.state === "loading"}>
        <div class="notice" role="status">
          {now.state === "loading" && <p class="only-heard">{phrases.loading}</p>}
          {now.state === "away" && <AwayBanner {...now} phrases={phrases} tryNow={tryNow} />}
        </div>
        {(system || now.state === "loading") && (
          <div class={now.state === "away" ? "panels is-stale" : "panels"}>
            <Summary system={system} phrases={phrases} />
            <StartUp system={system} phrases={phrases} />
            <Readings system={system} phrases={phrases} />
          </div>
        )}
      </main>
      <footer class="foot">{now.state === "here" && <p>{phrases.refreshes}</p>}</footer>
    </div>
  );
}
