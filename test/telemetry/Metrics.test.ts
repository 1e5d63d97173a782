import { describe, expect, test } from "bun:test"
import { Glob } from "bun"
import { Effect, Exit, Metric } from "effect"
import { allMetrics, Measure } from "../../src/telemetry/Metrics.ts"
import { countOf, seriesOf } from "../support/metrics.ts"

describe("the list of metrics", () => {
  test("names each once, in one scheme, with a meaning", () => {
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

  test("holds every metric the program makes", async () => {
    for await (const file of new Glob("src/**/*.ts").scan()) {
      if (file === "src/telemetry/Metrics.ts" || file === "src/telemetry/MetricFormat.ts") continue
      expect([file, (await Bun.file(file).text()).match(/\bMetric\.\w+/)?.[0]]).toEqual([file, undefined])
    }
  })

  test("holds no metric that nothing updates", async () => {
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
  test("keeps a series for each of its labels' values", () => {
    Effect.runSync(Measure.jobs.count("a-kind", "done"))
    Effect.runSync(Measure.jobs.countBy(2, "a-kind", "done"))
    Effect.runSync(Measure.jobs.count("a-kind", "failed"))
    expect(countOf("linkbower_jobs_total", { kind: "a-kind", outcome: "done" })).toBe(3)
    expect(countOf("linkbower_jobs_total", { kind: "a-kind", outcome: "failed" })).toBe(1)
  })

  test("takes the time of work that fails as well", async () => {
    const count = () => countOf("linkbower_model_call_duration_seconds")
    const before = count()
    const exit = await Effect.runPromiseExit(
      Measure.modelCallDuration.timed()(Effect.delay(Effect.fail("no"), "20 millis"))
    )
    expect(Exit.isFailure(exit)).toBe(true)
    expect(count()).toBe(before + 1)
  })

  test("is shown before its first event where it has no labels, and the runtime's own are not shown", () => {
    Metric.counter("not_ours").unsafeUpdate(1, [])
    expect(seriesOf("linkbower_inbox_failures_total").length).toBe(1)
    expect(seriesOf("not_ours")).toEqual([])
  })
})
