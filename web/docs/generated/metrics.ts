import type { MetricDeclaration } from "../../../src/telemetry/Metrics.ts"
import { inlineMarkdown } from "../markdown.ts"
import { h, type Node } from "../tree.ts"
import { table } from "./tables.ts"

/** Every metric with its Prometheus type and its labels. */
export const metricsBlock = (metrics: ReadonlyArray<MetricDeclaration>) => (): ReadonlyArray<Node> => [
  table(
    ["Metric", "Meaning"],
    metrics.map(({ kind, labels, meaning, name }) => [
      [
        h("code", {}, name),
        h(
          "div",
          { class: "quiet" },
          kind,
          labels.flatMap((label, at) => [at === 0 ? " by " : ", ", h("code", {}, label)])
        )
      ],
      inlineMarkdown(meaning)
    ])
  )
]
