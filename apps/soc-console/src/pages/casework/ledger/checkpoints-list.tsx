import { useCallback, useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import type { ReadListPages } from "../../../design/list/use-list-pages.ts";
import { Facts } from "../../../design/panel.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { ConsistencyDialog } from "./consistency-dialog.tsx";
import { Hash } from "./hash.tsx";
import { type Checkpoint, listCheckpoints } from "./ledger-client.ts";
import { ledgerPhrases } from "./ledger-phrases.ts";

const readKey = ({ tree_size }: Checkpoint) => String(tree_size);

/** Two tree sizes from the address, smaller first. */
function parsePair(earlier: string | undefined, later: string | undefined): [number, number] | undefined {
  const [one, two] = [Number(earlier), Number(later)];
  const isPair = Number.isSafeInteger(one) && Number.isSafeInteger(two) && one > 0 && two > 0;
  return isPair ? [Math.min(one, two), Math.max(one, two)] : undefined;
}

export function CheckpointsList() {
  const words = usePhrases(ledgerPhrases);
  const { server } = useApp();
  const time = useTime();
  const numbers = useNumbers();
  const { search, change } = useAddress();
  const pages = useRecordPages<Checkpoint>("checkpoints", {}, (query, signal) =>
    listCheckpoints(server, query, signal),
  );
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "size", title: words.list.size, width: "96px", align: "end" },
      { key: "at", title: words.list.at, width: "180px" },
      { key: "root", title: words.list.root, width: "minmax(140px, 1fr)" },
      { key: "key", title: words.list.key, width: "150px" },
    ],
    [words],
  );
  const compare = useCallback(
    (keys: readonly string[]) => change({ earlier: keys[0], later: keys[1] }, { isStep: true }),
    [change],
  );
  const render = useCallback(
    ({ tree_size, at, root_hash, key_id }: Checkpoint) => (
      <>
        <span className="list-strong">{numbers.number(tree_size)}</span>
        <span className="list-mono">{time.dateTime(at)}</span>
        <bdi dir="ltr" className="list-title list-mono soft">
          {root_hash}
        </bdi>
        <bdi dir="ltr" className="list-title list-mono soft">
          {key_id}
        </bdi>
      </>
    ),
    [numbers, time],
  );
  const pair = parsePair(search.earlier, search.later);
  return (
    <>
      <RecordList
        label={words.checkpoints}
        noun="checkpoints"
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={({ tree_size }) => `${numbers.number(tree_size)} ${words.list.size}`}
        renderPane={(item) => <CheckpointPane checkpoint={item} pages={pages} onCompare={compare} />}
        renderActions={(keys) => <CompareButton keys={keys} onCompare={compare} />}
        empty={<EmptyState title={words.list.empty} text={words.list.emptyText} />}
      />
      {pair && (
        <ConsistencyDialog
          from={pair[0]}
          to={pair[1]}
          onClose={() => change({ earlier: undefined, later: undefined })}
        />
      )}
    </>
  );
}

interface CompareProps {
  keys: readonly string[];
  onCompare: (keys: readonly string[]) => void;
}

function CompareButton({ keys, onCompare }: CompareProps) {
  const words = usePhrases(ledgerPhrases);
  const isPair = keys.length === 2;
  const compare: Command = {
    id: "ledger.compare",
    label: words.list.compare,
    group: words.title,
    keys: ["c"],
    isInStatusLine: true,
    run: () => onCompare(keys),
  };
  useCommands(isPair ? [compare] : []);
  if (!isPair) return <span className="soft">{words.list.chooseTwo}</span>;
  return (
    <Button size="s" kind="primary" {...commandKeys(compare)} onClick={() => onCompare(keys)}>
      {words.list.compare}
    </Button>
  );
}

interface CheckpointPaneProps {
  checkpoint: Checkpoint;
  pages: ReadListPages<Checkpoint>;
  onCompare: (keys: readonly string[]) => void;
}

/** A checkpoint in the pane, with the two most frequent comparisons. */
function CheckpointPane({ checkpoint, pages, onCompare }: CheckpointPaneProps) {
  const words = usePhrases(ledgerPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { before, newest } = findNeighbours(pages, checkpoint);
  const size = String(checkpoint.tree_size);
  return (
    <div className="ledger-pane">
      <h2 className="ledger-pane-title">{numbers.count(checkpoint.tree_size, words.state.entries)}</h2>
      {before && <p className="soft">{fill(words.list.added, { count: checkpoint.tree_size - before.tree_size })}</p>}
      <Facts
        items={[
          { label: words.list.at, value: <span className="mono">{time.dateTime(checkpoint.at)}</span> },
          { label: words.list.root, value: <Hash>{checkpoint.root_hash}</Hash> },
          { label: words.list.key, value: <Hash>{checkpoint.key_id}</Hash> },
          { label: words.list.signature, value: <Hash>{checkpoint.signature}</Hash> },
        ]}
      />
      <div className="ledger-bar">
        {before && (
          <Button onClick={() => onCompare([String(before.tree_size), size])}>{words.list.compareBefore}</Button>
        )}
        {newest && newest.tree_size !== checkpoint.tree_size && (
          <Button onClick={() => onCompare([size, String(newest.tree_size)])}>{words.list.compareNewest}</Button>
        )}
      </div>
    </div>
  );
}

/** Sorted from the newest checkpoint. */
function findNeighbours(pages: ReadListPages<Checkpoint>, { tree_size }: Checkpoint) {
  for (let index = 0; index < pages.count; index += 1) {
    if (pages.rowAt(index)?.tree_size === tree_size) return { before: pages.rowAt(index + 1), newest: pages.rowAt(0) };
  }
  return { before: undefined, newest: undefined };
}
