import type { RecitersBody } from "@player/service/contract/library";
import { useApp, useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { counted } from "../../app/language/numbers.ts";
import { NoRecitations } from "../../app/library/no-recitations.tsx";
import { Loaded } from "../../app/status/loaded.tsx";
import { Icon } from "../../design/icons.tsx";
import { Link, PageTitle, ProgressBar } from "../../design/layout.tsx";
import { CardReports } from "./card-reports-panel.tsx";
import { buildReciterAddress } from "./library-address.ts";
import { libraryPhrases } from "./library-phrases.ts";
import { Scanning } from "./scanning.tsx";

export function ReciterList() {
  const { live } = useApp();
  const { library, uploads } = usePhrases(commonPhrases);
  const reading = useResource(live.reciters);
  return (
    <>
      <PageTitle
        actions={
          <Link to="/uploads" class="button button-plain">
            <Icon name="upload" />
            <span>{uploads}</span>
          </Link>
        }
      >
        {library}
      </PageTitle>
      <Loaded reading={reading} refresh={live.reciters.refresh}>
        {(body) => (
          <div class="stack">
            <Scanning isScanning={body.scanning} />
            <Reciters {...body} />
            <CardReports {...body} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Reciters({ reciters, scanning, scanned_at }: RecitersBody) {
  if (reciters.length === 0) return scanning ? null : <NoRecitations hasCard={scanned_at !== null} />;
  return (
    <ul class="reciters">
      {reciters.map((reciter) => (
        <li key={reciter.path}>
          <ReciterLink reciter={reciter} />
        </li>
      ))}
    </ul>
  );
}

function ReciterLink({ reciter }: { reciter: RecitersBody["reciters"][number] }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const { name, surah_count, complete } = reciter;
  const status = live.playback.view.value;
  const isPlaying = status !== undefined && status.state !== "stopped" && status.reciter === name;
  const count = counted(surah_count, phrases.surahs, language);
  return (
    <Link to={buildReciterAddress(name)} class="reciter">
      <span class="reciter-sign">
        <Icon name={isPlaying ? "volume" : "book"} />
      </span>
      <span class="row-words">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="row-aside">
          {complete ? `${phrases.complete} · ${count}` : count}
          {isPlaying && ` · ${phrases.playing}`}
        </span>
        {!complete && <ProgressBar percent={(100 * surah_count) / 114} label={count} />}
      </span>
      <Icon name="forward" />
    </Link>
  );
}
