import { Metric, MetricState } from "effect"
import { allMetrics, type MetricDeclaration } from "../domain/Metrics.ts"

/** What a histogram has counted: how many values were at most so large, for each finite bound, and in all. */
export interface Distribution {
  readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>
  readonly count: number
  readonly sum: number
}

export interface Series {
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  readonly value: number | Distribution
}

/** A metric with all of its series as they are at one moment. */
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

/** Every declared metric as it is at this moment; those of the runtime itself are left out. */
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
