import type { Family, Series } from "./Snapshot.ts"

/** The media type of what `exposition` writes. */
export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/

const help = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const quoted = (text: string) => `"${help(text).replaceAll('"', '\\"')}"`

/** A number as Go reads it: the three that are none have names of their own. */
const number = (value: number) => {
  if (Number.isNaN(value)) return "NaN"
  if (value === Infinity) return "+Inf"
  return value === -Infinity ? "-Inf" : String(value)
}

type Labels = ReadonlyArray<readonly [name: string, value: string]>

const sample = (name: string, labels: Labels, value: number) => {
  const written = labels
    .filter(([label]) => LABEL.test(label) && !label.startsWith("__"))
    .map(([label, text]) => `${label}=${quoted(text)}`)
  return `${name}${written.length === 0 ? "" : `{${written.join(",")}}`} ${number(value)}\n`
}

const samples = (name: string, { labels, value }: Series) =>
  typeof value === "number"
    ? sample(name, labels, value)
    : [
        ...value.buckets.map(([bound, count]) =>
          sample(`${name}_bucket`, [...labels, ["le", number(bound)]], count)
        ),
        sample(`${name}_bucket`, [...labels, ["le", "+Inf"]], value.count),
        sample(`${name}_sum`, labels, value.sum),
        sample(`${name}_count`, labels, value.count)
      ].join("")

const keyOf = ({ labels }: Series) => labels.map(([, value]) => value).join("\n")
const inOrder = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Metrics in Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), families by
 * name and series by their labels. What has a name the format does not know is left out.
 */
export const exposition = (families: ReadonlyArray<Family>): string =>
  families
    .filter(({ name }) => NAME.test(name))
    .toSorted((one, other) => inOrder(one.name, other.name))
    .map(
      ({ kind, meaning, name, series }) =>
        `# HELP ${name} ${help(meaning)}\n# TYPE ${name} ${kind}\n` +
        series
          .toSorted((one, other) => inOrder(keyOf(one), keyOf(other)))
          .map((one) => samples(name, one))
          .join("")
    )
    .join("")
