import { GROUPS, type Group, isGroup, isTest, resolveImport, roleOf } from "./layout.ts";
import { fileRule } from "./rule.ts";
import type { Import, SourceFile } from "./source-file.ts";

const SOC = "apps/soc/src/";

/** Where a file of the SOC belongs. */
type Home =
  | { kind: "group"; group: Group }
  | { kind: "adapters" | "boot" | "main" | "migrations" | "showcase" | "unknown" };

function findHome(path: string): Home {
  const [first = "", ...rest] = path.slice(SOC.length).split("/");
  if (rest.length === 0) return { kind: /^main(-[a-z-]+)?\.ts$/.test(first) ? "main" : "unknown" };
  if (isGroup(first)) return { kind: "group", group: first };
  switch (first) {
    case "adapters":
    case "boot":
    case "migrations":
    case "showcase":
      return { kind: first };
    default:
      return { kind: "unknown" };
  }
}

function refusalFromGroup(from: Group, to: Home, isShowcaseFile: boolean): string | undefined {
  switch (to.kind) {
    case "group":
      return GROUPS.indexOf(to.group) > GROUPS.indexOf(from) ? `${from} must not import ${to.group}` : undefined;
    case "showcase":
      return isShowcaseFile ? undefined : "only <noun>.showcase.ts imports showcase/";
    case "adapters":
      return `${from} owns the interface and must not import what implements it`;
    default:
      return undefined;
  }
}

function findRefusal(from: Home, to: Home, isShowcaseFile: boolean): string | undefined {
  if (from.kind === "boot" || from.kind === "main") {
    return to.kind === "main" ? "no file imports the start of a process" : undefined;
  }
  if (to.kind === "boot" || to.kind === "main") return "only main*.ts imports what puts the features together";
  switch (from.kind) {
    case "group":
      return refusalFromGroup(from.group, to, isShowcaseFile);
    case "showcase":
      return to.kind === "adapters" ? "showcase/ must not import an adapter" : undefined;
    case "adapters":
      return to.kind === "showcase" ? "an adapter must not import showcase/" : undefined;
    default:
      return undefined;
  }
}

function findHomeOfImport(file: SourceFile, { specifier }: Import): Home | undefined {
  const target = resolveImport(file, specifier);
  return target?.startsWith(SOC) ? findHome(target) : undefined;
}

export const groupDirection = fileRule(
  "groups import downward only",
  "a reader who knows the groups below a feature knows everything that it can depend on, types included",
  (file) => {
    if (!file.path.startsWith(SOC) || isTest(file.path)) return [];
    const from = findHome(file.path);
    if (from.kind === "unknown") return [{ line: 1, message: "belongs to a group, boot/ or adapters/" }];
    return file.imports.flatMap((each) => {
      const to = findHomeOfImport(file, each);
      const refusal = to && findRefusal(from, to, roleOf(file.path) === "showcase");
      return refusal ? [{ line: each.line, message: `${refusal} (${each.specifier})` }] : [];
    });
  },
);
