import type { SurahsBody } from "@player/service/contract/library";
import { useState } from "preact/hooks";
import { ApiError } from "../../app/api/api-client.ts";
import { useApp, useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { readStored, writeStored } from "../../app/browser/browser-storage.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { findSurahs } from "../../app/library/surah-search.ts";
import { useSurahs } from "../../app/library/surahs.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { LockSign } from "../../design/button.tsx";
import { Switch, TextField } from "../../design/fields.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { JuzRow } from "./juz-row.tsx";
import { libraryPhrases } from "./library-phrases.ts";
import { Scanning } from "./scanning.tsx";
import { SurahCell } from "./surah-cell.tsx";

/** Which surahs this browser lists. */
const STORAGE_KEY = "library";

/** All 114 of one reciter. */
export function ReciterPage({ reciter }: { reciter: string }) {
  const { live } = useApp();
  const { library } = usePhrases(commonPhrases);
  const reciters = useResource(live.reciters);
  const surahs = useSurahs(reciter);
  const reading = useResource(surahs);
  useResource(live.favorites);
  const isUnknown = reading.state === "failed" && reading.error instanceof ApiError && reading.error.status === 404;
  return (
    <>
      <PageTitle back={{ to: "/library", label: library }}>
        <bdi>{reciter}</bdi>
      </PageTitle>
      <Scanning isScanning={reciters.state === "here" && reciters.value.scanning} />
      {isUnknown ? (
        <UnknownReciter />
      ) : (
        <Loaded reading={reading} refresh={surahs.refresh}>
          {(body) => <Surahs body={body} />}
        </Loaded>
      )}
    </>
  );
}

function Surahs({ body }: { body: SurahsBody }) {
  const { tokens } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(libraryPhrases);
  const [typed, setTyped] = useState("");
  const [isWhole, setWhole] = useState(() => readStored(STORAGE_KEY) !== "card");
  const missing = body.available.filter((isThere) => !isThere).length;
  const isSearching = typed.trim() !== "";
  const isShown = (surah: number) => isWhole || isSearching || body.available[surah - 1];
  const found = findSurahs(typed).filter(isShown);
  const showWhole = (isOn: boolean) => {
    writeStored(STORAGE_KEY, isOn ? undefined : "card");
    setWhole(isOn);
  };
  return (
    <div class="stack">
      <div class="surah-search">
        <TextField
          label={phrases.search}
          hint={isSearching ? counted(found.length, phrases.found, language) : phrases.searchHint}
          type="search"
          value={typed}
          maxLength={60}
          onInput={setTyped}
        />
      </div>
      {!isSearching && isWhole && <JuzRow />}
      {missing > 0 && !isSearching && (
        <Switch
          label={phrases.onlyCard}
          hint={counted(missing, phrases.missingHint, language)}
          isOn={!isWhole}
          onChange={(isOn) => showWhole(!isOn)}
        />
      )}
      {tokens.token.value === undefined && (
        <p class="surah-lock row-aside">
          <LockSign /> {phrases.locked}
        </p>
      )}
      {found.length > 0 ? (
        <ul class="surahs">
          {found.map((surah) => (
            <SurahCell
              key={surah}
              reciter={body.reciter}
              surah={surah}
              arabic={body.names_ar[surah - 1] ?? ""}
              latin={body.names[surah - 1] ?? ""}
              path={body.paths[surah - 1] ?? null}
            />
          ))}
        </ul>
      ) : (
        <EmptyState icon="search" title={fill(phrases.notFound, { typed: typed.trim() })} />
      )}
    </div>
  );
}

function UnknownReciter() {
  const { unknownReciter, unknownReciterHint } = usePhrases(libraryPhrases);
  const { library } = usePhrases(commonPhrases);
  return (
    <EmptyState icon="book" title={unknownReciter}>
      <p>{unknownReciterHint}</p>
      <Link to="/library" class="button button-primary">
        {library}
      </Link>
    </EmptyState>
  );
}
