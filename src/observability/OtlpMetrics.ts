import { attributesOf, nanosOf, resource, scope } from "./OtlpJson.ts"
import type { Distribution, Family, Series } from "./Snapshot.ts"

/** Counted since the start, not since the last report (AGGREGATION_TEMPORALITY_CUMULATIVE). */
const CUMULATIVE = 2

type Times = { readonly startTimeUnixNano: string; readonly timeUnixNano: string }

const histogramPoint = ({ buckets, count, sum }: Distribution) => {
  const upTo = [...buckets.map(([, below]) => below), count]
  return {
    count: String(count),
    sum,
    explicitBounds: buckets.map(([bound]) => bound),
    bucketCounts: upTo.map((below, index) => String(below - (upTo[index - 1] ?? 0)))
  }
}

const pointOf = ({ labels, value }: Series, times: Times) => ({
  ...times,
  attributes: attributesOf(labels),
  ...(typeof value === "number" ? { asDouble: value } : histogramPoint(value))
})

const dataOf = ({ kind, series }: Family, times: Times) => {
  const dataPoints = series.map((one) => pointOf(one, times))
  if (kind === "gauge") return { gauge: { dataPoints } }
  return kind === "counter"
    ? { sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
    : { histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }
}

/** The unit a name says, in the code of UCUM that OTLP wants. */
const unitOf = (name: string) => (/_seconds(_|$)/.test(name) ? "s" : /_bytes(_|$)/.test(name) ? "By" : "1")

/** The body of a request to `/v1/metrics`: everything counted since `started`, in milliseconds like `now`. */
export const metricsBody = (families: ReadonlyArray<Family>, started: number, now: number) => {
  const times = { startTimeUnixNano: nanosOf(started), timeUnixNano: nanosOf(now) }
  const metrics = families
    .filter(({ series }) => series.length > 0)
    .map((family) => ({
      name: family.name,
      description: family.meaning,
      unit: unitOf(family.name),
      ...dataOf(family, times)
    }))
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
}
