import { useRef } from "preact/hooks";
import { useApp, useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { counted } from "../../app/language/numbers.ts";
import { NoRecitations } from "../../app/library/no-recitations.tsx";
import { Loaded } from "../../app/status/loaded.tsx";
import { PageTitle } from "../../design/layout.tsx";
import { DrillForm } from "./drill-form.tsx";
import { hifzPhrases } from "./hifz-phrases.ts";
import { RunningDrill } from "./running-drill.tsx";
import "./hifz.css";

export function HifzPage() {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(hifzPhrases);
  const { hifz } = usePhrases(commonPhrases);
  const reading = useResource(live.reciters);
  const status = live.playback.view.value;
  const running = useRef<HTMLDivElement>(null);
  const today = status?.hifz_today ?? 0;

  /** On a phone the form is longer than the screen, and the started drill appears above it. */
  function showRunning(): void {
    running.current?.scrollIntoView({ block: "center" });
    running.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <PageTitle
        actions={<p class="hifz-today">{today === 0 ? phrases.todayNone : counted(today, phrases.today, language)}</p>}
      >
        {hifz}
      </PageTitle>
      <p class="row-aside hifz-about">{phrases.about}</p>
      <div class="panels panels-two">
        <div ref={running} class="drill-place" tabIndex={-1}>
          {status && <RunningDrill status={status} />}
        </div>
        <Loaded reading={reading} refresh={live.reciters.refresh}>
          {({ reciters, scanned_at, scanning }) =>
            reciters.length > 0 && status ? (
              <DrillForm reciters={reciters.map(({ name }) => name)} status={status} onStarted={showRunning} />
            ) : (
              !scanning && <NoRecitations hasCard={scanned_at !== null} />
            )
          }
        </Loaded>
      </div>
    </>
  );
}
