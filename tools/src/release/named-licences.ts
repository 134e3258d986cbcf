/** A licence that a person read, for a package whose metadata contain none in machine-readable form. */
export interface NamedLicence {
  /** The name of the package; with `*` at its end every name that begins so. */
  name: string;
  /** An expression of SPDX. */
  licence: string;
  /** Where it was read. */
  source: string;
}

export const NAMED_LICENCES: readonly NamedLicence[] = [
  {
    name: "@chdb/lib-*",
    licence: "Apache-2.0",
    source: "package.json of @chdb/lib-linux-x64-gnu 26.7.3; LICENSE of chdb 3.4.0",
  },
  { name: "@napi-rs/canvas-*", licence: "MIT", source: "LICENSE of @napi-rs/canvas 1.1.0, whose binaries they are" },
  { name: "@nornagon/put", licence: "MIT", source: "its LICENSE, 0.0.8: the MIT/X11 license" },
  {
    name: "dejavu-fonts-ttf",
    licence: "Bitstream-Vera",
    source: "its LICENSE, 2.37.3: Bitstream Vera and Arev; changes of DejaVu are in the public domain",
  },
  { name: "jsbi", licence: "Apache-2.0", source: "its LICENSE, 2.0.5" },
  { name: "map-stream", licence: "MIT", source: "its LICENCE, 0.1.0" },
  { name: "pause-stream", licence: "MIT OR Apache-2.0", source: "its LICENSE, 0.0.11: dual licensed" },
  { name: "png-js", licence: "MIT", source: "its LICENSE, 1.1.0" },
];
