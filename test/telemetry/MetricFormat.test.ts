import { describe, expect, test } from "bun:test"
import { exposition, type Family } from "../../src/telemetry/MetricFormat.ts"

const family = (name: string, series: Family["series"], more: Partial<Family> = {}): Family => ({
  name,
  kind: "counter",
  meaning: "What it counts.",
  series,
  ...more
})

describe("exposition", () => {
  test("writes help, type and a line for each series, sorted", () => {
    const text = exposition([
      family("b_total", [
        { labels: [["kind", "two"]], value: 2 },
        { labels: [["kind", "one"]], value: 1 }
      ]),
      family("a", [{ labels: [], value: 0.5 }], { kind: "gauge" })
    ])
    expect(text).toBe(
      "# HELP a What it counts.\n# TYPE a gauge\na 0.5\n" +
        '# HELP b_total What it counts.\n# TYPE b_total counter\nb_total{kind="one"} 1\nb_total{kind="two"} 2\n'
    )
  })

  test("writes a histogram as cumulative buckets with sum and count", () => {
    const value = {
      buckets: [
        [0.1, 1],
        [2.5, 3]
      ] as const,
      count: 4,
      sum: 12.25
    }
    expect(
      exposition([family("wait_seconds", [{ labels: [["to", "x"]], value }], { kind: "histogram" })])
    ).toBe(
      "# HELP wait_seconds What it counts.\n# TYPE wait_seconds histogram\n" +
        'wait_seconds_bucket{to="x",le="0.1"} 1\nwait_seconds_bucket{to="x",le="2.5"} 3\n' +
        'wait_seconds_bucket{to="x",le="+Inf"} 4\nwait_seconds_sum{to="x"} 12.25\nwait_seconds_count{to="x"} 4\n'
    )
  })

  test("escapes help texts and label values", () => {
    const text = exposition([
      family("a_total", [{ labels: [["path", 'C:\\x "y"\nz']], value: 1 }], { meaning: 'a\\b "c"\nd' })
    ])
    expect(text).toBe(
      '# HELP a_total a\\\\b "c"\\nd\n# TYPE a_total counter\na_total{path="C:\\\\x \\"y\\"\\nz"} 1\n'
    )
  })

  for (const [value, written] of [
    [Number.NaN, "NaN"],
    [Infinity, "+Inf"],
    [-Infinity, "-Inf"],
    [1e21, "1e+21"],
    [-0.5, "-0.5"],
    [9007199254740991, "9007199254740991"]
  ] as const)
    test(`writes ${value} as ${written}`, () => {
      expect(exposition([family("a", [{ labels: [], value }])]).endsWith(`\na ${written}\n`)).toBe(true)
    })

  for (const name of ["1a", "a-b", "a b", "", "ä"])
    test(`omits a metric with the invalid name "${name}"`, () => {
      expect(exposition([family(name, [{ labels: [], value: 1 }])])).toBe("")
    })

  test("omits invalid and reserved labels", () => {
    const labels = [
      ["ok", "1"],
      ["__name__", "2"],
      ["a-b", "3"],
      ["le:", "4"]
    ] as const
    expect(exposition([family("a", [{ labels, value: 1 }])]).split("\n")[2]).toBe('a{ok="1"} 1')
  })

  test("writes the help of a metric without series", () => {
    expect(exposition([family("a_total", [])])).toBe(
      "# HELP a_total What it counts.\n# TYPE a_total counter\n"
    )
  })
})
