import { snapshot } from "../../src/telemetry/MetricFormat.ts"

/** All series of a metric. */
export const seriesOf = (name: string) => snapshot().find((family) => family.name === name)?.series ?? []

/** What a series with exactly these labels' values has counted; 0 where there is none yet. Tests share one registry. */
export const countOf = (name: string, labels: Readonly<Record<string, string>> = {}): number => {
  const wanted = JSON.stringify(Object.entries(labels).toSorted())
  const found = seriesOf(name).find((series) => JSON.stringify(series.labels.toSorted()) === wanted)
  return typeof found?.value === "object" ? found.value.count : (found?.value ?? 0)
}
