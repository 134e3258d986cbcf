import { Download, Printer } from "lucide-react";
import { useApp } from "../../../app/context/app-context.ts";
import { formatCsv } from "../../../app/files/csv.ts";
import { saveFile } from "../../../app/files/save-file.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { Button } from "../../../design/button.tsx";
import { type Coverage, type CoverageFilter, readLayer } from "./attack-client.ts";
import { listTechniques, type MatrixName } from "./attack-matrix.ts";
import { attackPhrases } from "./attack-phrases.ts";

export interface AttackExportsProps {
  coverage: Coverage;
  matrix: MatrixName;
  filter: CoverageFilter;
}

const HEAD = ["id", "name", "tactics", "state", "rules", "rules_that_ran", "alerts_30d"];

function writeCsv(coverage: Coverage, matrix: MatrixName): string {
  const rows = listTechniques(coverage, matrix).map((each) => [
    each.id,
    each.name,
    each.tactics.join(" "),
    each.state,
    each.rule_count,
    each.ran_count,
    each.alerts_30d,
  ]);
  return formatCsv([HEAD, ...rows]);
}

/** The coverage as a file for ATT&CK Navigator, as a table, and on paper. */
export function AttackExports({ coverage, matrix, filter }: AttackExportsProps) {
  const words = usePhrases(attackPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const saveLayer = async () => {
    try {
      const layer = await readLayer(server, matrix, filter);
      saveFile(`coverage-${matrix}.json`, new Blob([JSON.stringify(layer, null, 2)], { type: "application/json" }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify({ tone: "failed", text: `${words.exportFailed}: ${errorWords(error)}` });
    }
  };
  const saveCsv = () =>
    saveFile(`coverage-${matrix}.csv`, new Blob([writeCsv(coverage, matrix)], { type: "text/csv" }));
  const print = () => globalThis.print();
  const group = words.title;
  useCommands([
    { id: "attack.layer", label: words.exportLayer, group, run: saveLayer },
    { id: "attack.csv", label: words.exportCsv, group, run: saveCsv },
    { id: "attack.print", label: words.print, group, run: print },
  ]);
  return (
    <>
      <Button icon={<Download />} title={words.exportLayer} onClick={() => void saveLayer()}>
        {words.navigator}
      </Button>
      <Button icon={<Download />} title={words.exportCsv} onClick={saveCsv}>
        {words.csv}
      </Button>
      <Button icon={<Printer />} onClick={print}>
        {words.print}
      </Button>
    </>
  );
}
