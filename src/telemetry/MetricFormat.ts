import { Metric, MetricState } from "effect"
import { allMetrics, type MetricDeclaration } from "./Metrics.ts"

/** A histogram's counts: for each finite bound, the number of values up to it; and the total number and sum. */
export interface Distribution {
  readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>
  readonly count: number
  readonly sum: number
}

export interface Series {
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  readonly value: number | Distribution
}

export interface Family extends Pick<MetricDeclaration, "name" | "kind" | "meaning"> {
  readonly series: ReadonlyArray<Series>
}

const valueOf = (state: MetricState.MetricState.Untyped): Series["value"] | undefined => {
  if (MetricState.isCounterState(state)) return Number(state.count)
  if (MetricState.isGaugeState(state)) return Number(state.value)
  if (!MetricState.isHistogramState(state)) return undefined
  const buckets = [...state.buckets].filter(([bound]) => Number.isFinite(bound))
  return { buckets, count: state.count, sum: state.sum }
}

/** The current state of every declared metric, without the Effect runtime's own metrics. */
export const snapshot = (): ReadonlyArray<Family> => {
  for (const metric of allMetrics) metric.register()
  const series = new Map<string, Array<Series>>(allMetrics.map(({ name }) => [name, []]))
  for (const { metricKey, metricState } of Metric.unsafeSnapshot()) {
    const value = valueOf(metricState)
    const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
    if (value !== undefined) series.get(metricKey.name)?.push({ labels, value })
  }
  return allMetrics.map(({ kind, meaning, name }) => ({
    name,
    kind,
    meaning,
    series: series.get(name) ?? []
  }))
}

/** The media type of the text that `exposition` returns. */
export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/

const help = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const quoted = (text: string) => `"${help(text).replaceAll('"', '\\"')}"`

/** Formats a number as Go parses it: NaN and the infinities have special names. */
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
 * Formats metrics in Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), with
 * families sorted by name and series by label values. Leaves out metrics and labels whose names that format forbids.
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
