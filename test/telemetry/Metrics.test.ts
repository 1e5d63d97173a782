import { describe, expect, test } from "bun:test"
import { Glob } from "bun"
import { Effect, Exit, Metric } from "effect"
import { allMetrics, Measure } from "../../src/telemetry/Metrics.ts"
import { countOf, seriesOf } from "../support/metrics.ts"

describe("the list of metrics", () => {
  test("has unique names in one scheme, and meanings", () => {
    const names = allMetrics.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { kind, labels, meaning, name } of allMetrics) {
      expect(name).toMatch(/^linkbower_[a-z]+(_[a-z]+)*$/)
      expect([name, name.endsWith("_total")]).toEqual([name, kind === "counter"])
      if (kind === "histogram") expect(name).toEndWith("_seconds")
      expect(meaning).toMatch(/^[A-Z1][^\n]+\.$/)
      for (const label of labels) expect(label).toMatch(/^[a-z]+$/)
    }
  })

  test("includes every metric of the program", async () => {
    for await (const file of new Glob("src/**/*.ts").scan()) {
      if (file === "src/telemetry/Metrics.ts" || file === "src/telemetry/MetricFormat.ts") continue
      expect([file, (await Bun.file(file).text()).match(/\bMetric\.\w+/)?.[0]]).toEqual([file, undefined])
    }
  })

  test("includes only metrics that something updates", async () => {
    const sources = await Promise.all(
      [...new Glob("src/**/*.ts").scanSync()]
        .filter((file) => file !== "src/telemetry/Metrics.ts")
        .map((file) => Bun.file(file).text())
    )
    for (const name of Object.keys(Measure))
      expect([name, sources.some((source) => source.includes(`Measure.${name}.`))]).toEqual([name, true])
  })
})

describe("a metric", () => {
  test("has a series for each combination of label values", () => {
    Effect.runSync(Measure.jobs.count("a-kind", "done"))
    Effect.runSync(Measure.jobs.countBy(2, "a-kind", "done"))
    Effect.runSync(Measure.jobs.count("a-kind", "failed"))
    expect(countOf("linkbower_jobs_total", { kind: "a-kind", outcome: "done" })).toBe(3)
    expect(countOf("linkbower_jobs_total", { kind: "a-kind", outcome: "failed" })).toBe(1)
  })

  test("times failing work too", async () => {
    const count = () => countOf("linkbower_model_call_duration_seconds")
    const before = count()
    const exit = await Effect.runPromiseExit(
      Measure.modelCallDuration.timed()(Effect.delay(Effect.fail("no"), "20 millis"))
    )
    expect(Exit.isFailure(exit)).toBe(true)
    expect(count()).toBe(before + 1)
  })

  test("without labels has a series from the start; the runtime's metrics are omitted", () => {
    Metric.counter("not_ours").unsafeUpdate(1, [])
    expect(seriesOf("linkbower_inbox_failures_total").length).toBe(1)
    expect(seriesOf("not_ours")).toEqual([])
  })
})
