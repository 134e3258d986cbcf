import { useCallback, useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList } from "../../../app/lists/record-list.tsx";
import { defang } from "../../../app/text/defang.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import type { ReadListPages } from "../../../design/list/use-list-pages.ts";
import { SeveritySign } from "../../../design/severity.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { IocFacts } from "./ioc-facts.tsx";
import type { Ioc } from "./iocs-client.ts";
import { isFiltered, readFilter } from "./iocs-filter.tsx";
import { iocsPhrases } from "./iocs-phrases.ts";
import { useCopy } from "./use-copy.ts";

const readKey = (item: Ioc) => item.id;

function useColumns(): ListColumn[] {
  const words = usePhrases(iocsPhrases);
  return useMemo(
    () => [
      { key: "severity", title: words.severity, width: "16px", isTitleHidden: true },
      { key: "type", title: words.type, width: "72px" },
      { key: "value", title: words.value, width: "minmax(180px, 1fr)" },
      { key: "tlp", title: words.tlp, width: "104px" },
      { key: "seen", title: words.lastSeen, width: "112px" },
      { key: "hits", title: words.hits, width: "64px", align: "end" },
      { key: "ends", title: words.ends, width: "112px" },
    ],
    [words],
  );
}

export function IocsList({ pages }: { pages: ReadListPages<Ioc> }) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { search, change, go } = useAddress();
  const columns = useColumns();
  const copy = useCopy();
  const open = useCallback((id: string) => go(`/indicators/${id}`), [go]);
  const render = useCallback(
    (ioc: Ioc) => (
      <>
        <SeveritySign severity={ioc.severity} label={words.severities[ioc.severity]} />
        <span>{words.types[ioc.type]}</span>
        <span className="list-title">
          <SafeText isMono>{defang(ioc.value)}</SafeText>
        </span>
        <span className="list-mono">{words.tlps[ioc.tlp]}</span>
        <time dateTime={ioc.last_seen} title={time.dateTime(ioc.last_seen)}>
          {time.relative(ioc.last_seen)}
        </time>
        <span>{ioc.hits > 0 && numbers.number(ioc.hits)}</span>
        <span>
          {ioc.expires_at !== null && (
            <time dateTime={ioc.expires_at} title={time.dateTime(ioc.expires_at)}>
              {time.day(ioc.expires_at)}
            </time>
          )}
        </span>
      </>
    ),
    [words, numbers, time],
  );
  const rowCommands = (ioc: Ioc): Command[] => copy.commands(ioc.value);
  const clear = () =>
    change({ q: undefined, type: undefined, severity: undefined, state: undefined, tag: undefined, source: undefined });
  return (
    <RecordList
      label={words.title}
      noun="iocs"
      events="ioc"
      columns={columns}
      pages={pages}
      rowKey={readKey}
      renderRow={render}
      rowName={(ioc) => safeText(defang(ioc.value))}
      rowCommands={rowCommands}
      onOpen={open}
      renderPane={(ioc) => <IocPane ioc={ioc} />}
      empty={<EmptyState title={words.empty} text={words.emptyText} />}
      onClearFilter={isFiltered(readFilter(search)) ? clear : undefined}
    />
  );
}

function IocPane({ ioc }: { ioc: Ioc }) {
  const words = usePhrases(iocsPhrases);
  return (
    <div className="iocs-pane">
      <p className="soft">{words.types[ioc.type]}</p>
      <h2 className="title">
        <SafeText isMono>{defang(ioc.value)}</SafeText>
      </h2>
      <IocFacts ioc={ioc} isLinked />
    </div>
  );
}
