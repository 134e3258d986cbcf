import { isKit, isProductCode, isTest, isUserInterface, resolveImport } from "./layout.ts";
import { fileRule, type Rule } from "./rule.ts";
import type { SourceFile } from "./source-file.ts";
import type { Tree } from "./tree.ts";

function refuseImports(file: SourceFile, isRefused: (specifier: string) => boolean, why: string) {
  return file.imports
    .filter(({ specifier }) => isRefused(specifier))
    .map(({ line, specifier }) => ({ line, message: `${why} (${specifier})` }));
}

const products = fileRule(
  "products stay apart",
  "each product is released alone, and a customer of one never runs code of the other",
  (file) => {
    if (file.path.startsWith("apps/player")) {
      return refuseImports(file, (specifier) => specifier.startsWith("@soc/"), "player must not import soc");
    }
    if (file.path.startsWith("apps/soc")) {
      return refuseImports(file, (specifier) => specifier.startsWith("@player/"), "soc must not import player");
    }
    return [];
  },
);

const doors = fileRule(
  "packages are entered by their doors",
  "a path into another package goes around its exports and its list of dependencies",
  (file) =>
    refuseImports(
      file,
      (specifier) => {
        const target = resolveImport(file, specifier);
        return target !== undefined && file.packageDir !== "" && !target.startsWith(`${file.packageDir}/`);
      },
      "a relative import must not leave its package",
    ),
);

const kit = fileRule(
  "the kit knows no product",
  "a package of the kit can be described without naming either product, and its tests need neither",
  (file) =>
    isKit(file.path) || file.path.startsWith("tools/")
      ? refuseImports(file, (specifier) => /^@(player|soc|tools|tests)\//.test(specifier), "must not import a product")
      : [],
);

const testing = fileRule(
  "@kit/testing is for tests",
  "a product must not ship browsers, fault proxies and process killers",
  (file) => {
    const isAllowed = isTest(file.path) || file.packageDir === "packages/testing";
    return isAllowed
      ? []
      : refuseImports(file, (specifier) => /^@kit\/testing(\/|$)/.test(specifier), "only tests import @kit/testing");
  },
);

/** The console checks queries by the parser of the service; @kit/query itself tests that a browser can run it. */
function isConsole(path: string): boolean {
  return path.startsWith("apps/soc-console/");
}

const contracts = fileRule(
  "user interfaces see contracts only",
  "a page that imports a service's inside cannot be shipped, cached or broken independently of it",
  (file) =>
    isUserInterface(file.path) && !isTest(file.path)
      ? refuseImports(
          file,
          (specifier) =>
            /^@(kit|player|soc|tools|tests)\//.test(specifier) &&
            !/^@(player|soc)\/service\/contract\//.test(specifier) &&
            !(isConsole(file.path) && specifier.startsWith("@kit/query/")),
          "a user interface must not import this",
        )
      : [],
);

const reExports = fileRule(
  "nothing is re-exported",
  "an import names the file that holds the thing, so that a reader gets there in one step",
  (file) =>
    file.imports
      .filter(({ isReExport }) => isReExport)
      .map(({ line, specifier }) => ({ line, message: `re-exports from ${specifier}` })),
);

/** The package that a specifier names: two parts for a scoped one. */
function toPackageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

const declarations = fileRule(
  "tests declare what they import",
  "the linter checks sources; tests may also use what the root installs for all of them, and nothing else",
  (file, { workspaces }) => {
    const declared = workspaces
      .filter(({ dir }) => dir === "" || dir === file.packageDir)
      .flatMap(({ name, dependencies }) => [name, ...dependencies.map((dependency) => dependency.name)]);
    const known = new Set(declared);
    return isTest(file.path)
      ? refuseImports(
          file,
          (specifier) => !/^(\.|node:)/.test(specifier) && !known.has(toPackageName(specifier)),
          "is not in package.json",
        )
      : [];
  },
);

function kitImports({ workspaces, files }: Tree): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { dir, name } of workspaces.filter((workspace) => isKit(workspace.dir))) {
    const own = files.filter(({ path, packageDir }) => packageDir === dir && isProductCode(path));
    const specifiers = own.flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
    const packages = specifiers.map(toPackageName);
    graph.set(name, new Set(packages.filter((each) => each.startsWith("@kit/"))));
  }
  return graph;
}

function cycleFrom(graph: Map<string, Set<string>>, trail: readonly string[]): string[] | undefined {
  for (const next of graph.get(trail.at(-1) ?? "") ?? []) {
    if (next === trail[0]) return [...trail, next];
    const cycle = trail.includes(next) ? undefined : cycleFrom(graph, [...trail, next]);
    if (cycle) return cycle;
  }
  return undefined;
}

const cycles: Rule = {
  name: "the kit has no cycles",
  because: "a package in a cycle cannot be understood, built or moved alone",
  check: (tree) => {
    const graph = kitImports(tree);
    return tree.workspaces.flatMap(({ dir, name }) => {
      const cycle = graph.has(name) ? cycleFrom(graph, [name]) : undefined;
      return cycle ? [`${dir}/package.json:1 ${cycle.join(" → ")}`] : [];
    });
  },
};

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

const versions: Rule = {
  name: "versions are exact",
  because: "what was tested is what is installed; a range lets a registry decide that",
  check: ({ workspaces }) => {
    const ours = new Set(workspaces.map(({ name }) => name));
    return workspaces.flatMap(({ dir, dependencies }) =>
      dependencies
        .filter(({ name, version }) => (ours.has(name) ? version !== "*" : !EXACT.test(version)))
        .map(({ name, version, line }) => `${dir ? `${dir}/` : ""}package.json:${line} ${name} is '${version}'`),
    );
  },
};

export const PACKAGE_RULES: readonly Rule[] = [
  products,
  doors,
  kit,
  testing,
  contracts,
  reExports,
  declarations,
  cycles,
  versions,
];
