import { describe, expect, test } from "bun:test"
import { ConfigProvider, Effect, Layer } from "effect"
import { library } from "../../src/Application.ts"
import { type Categorizable, Categorizer } from "../../src/enrich/model/Categorizer.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { Recategorize } from "../../src/library/Recategorize.ts"
import { Refresh } from "../../src/library/Refresh.ts"
import { isSameModel } from "../../src/library/Summaries.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

const summarizedBy = (model: string | undefined, summary = `By ${model ?? "an unknown model"}.`) =>
  found({ title: "A page" }, { summary: { summary, tags: [], category: "old", model } })

const world = { isDown: false, asked: [] as string[] }
const enricher = fakeEnricher(({ url }) =>
  Effect.sync(() => {
    world.asked.push(url.pathname.slice(1))
    return world.isDown
      ? found(
          { title: "A page" },
          {
            fellBack: ["model"],
            mayPass: true,
            failures: [{ source: "model", kind: "unreachable", reason: "It is down" }]
          }
        )
      : summarizedBy("llama3.2:latest", "New.")
  })
)
const categorizer = Layer.succeed(Categorizer, {
  categorize: (links: ReadonlyArray<Categorizable>) =>
    Effect.succeed(new Map(links.map(({ id }) => [id, "new"] as const)))
})
const settings = Layer.setConfigProvider(
  ConfigProvider.fromMap(
    new Map([
      ["ANTHROPIC_API_KEY", "sk-a-key"],
      ["MODEL_NAME", "llama3.2"]
    ])
  )
)
const it = libraryTest(
  Layer.provideMerge(library, Layer.mergeAll(stores(), enricher, categorizer)).pipe(Layer.provide(settings))
)

/** Saves links by other models, by an unknown one, by the current one, without a summary, and by the owner. */
const saveAll = Effect.gen(function* () {
  world.asked = []
  world.isDown = false
  const links = yield* LinkStore
  const edits = yield* EditLinks
  const save = Effect.fnUntraced(function* (path: string, first: ReturnType<typeof summarizedBy>) {
    const { link } = yield* links.upsert(newLink(path))
    yield* links.finish(link.id, first)
    return link.id
  })
  const ids = {
    other: yield* save("other", summarizedBy("claude-haiku-5-5")),
    unknown: yield* save("unknown", summarizedBy(undefined)),
    current: yield* save("current", summarizedBy("llama3.2:latest")),
    empty: yield* save("empty", summarizedBy(undefined, "")),
    owner: yield* save("owner", summarizedBy("claude-haiku-5-5"))
  }
  yield* edits.change([ids.owner], { summary: "Mine." })
  return ids
})

describe("the links that another model has summarized", () => {
  it("are refreshed, and no others; a second run finds none", function* () {
    const ids = yield* saveAll
    const links = yield* LinkStore
    const jobs = yield* Jobs
    const refresh = yield* Refresh
    const job = yield* jobs.awaitEnd((yield* refresh.startOtherModels).id)
    expect(job).toMatchObject({ action: "refresh", state: "done", done: 2, total: 2, subject: null })
    expect(job.result).toEqual({ refreshed: 2, tried: 2 })
    expect(world.asked.toSorted()).toEqual(["other", "unknown"])
    expect(yield* links.get(ids.other)).toMatchObject({ summary: "New.", model: "llama3.2:latest" })
    expect(yield* links.get(ids.owner)).toMatchObject({ summary: "Mine.", model: null })
    expect(yield* jobs.awaitEnd((yield* refresh.startOtherModels).id)).toMatchObject({ done: 0, total: 0 })
  })

  it("keep their summaries when the model is down, and the job says so", function* () {
    const ids = yield* saveAll
    const links = yield* LinkStore
    const jobs = yield* Jobs
    world.isDown = true
    const job = yield* jobs.awaitEnd((yield* (yield* Refresh).startOtherModels).id)
    expect(job).toMatchObject({ state: "failed" })
    expect(job.error).toContain("not responding")
    expect(yield* links.get(ids.other)).toMatchObject({
      summary: "By claude-haiku-5-5.",
      model: "claude-haiku-5-5"
    })
  })

  it("are recategorized, and no others", function* () {
    const ids = yield* saveAll
    const links = yield* LinkStore
    const jobs = yield* Jobs
    const recategorize = yield* Recategorize
    expect(yield* recategorize.estimate({ all: false, otherModel: true })).toMatchObject({
      links: 2,
      requests: 1
    })
    expect(yield* recategorize.estimate({ all: false })).toMatchObject({ links: 5 })
    yield* jobs.awaitEnd((yield* recategorize.start({ all: false, otherModel: true })).id)
    const categories = Object.fromEntries(
      yield* Effect.forEach(Object.entries(ids), ([name, id]) =>
        Effect.map(links.get(id), ({ category }) => [name, category] as const)
      )
    )
    expect(categories).toEqual({ other: "new", unknown: "new", current: "old", empty: "old", owner: "old" })
  })
})

describe("isSameModel", () => {
  for (const [asked, answered] of [
    ["llama3.2", "llama3.2:latest"],
    ["gpt-5-mini", "gpt-5-mini-2026-01-15"],
    ["claude-haiku-5-5", "claude-haiku-5-5-20260101"],
    ["gemini-2.5-flash", "models/gemini-2.5-flash"],
    ["Qwen/Qwen3-8B", "qwen/qwen3-8b"]
  ] as const)
    test(`recognizes ${asked} in ${answered}`, () => expect(isSameModel(asked, answered)).toBe(true))

  for (const [one, other] of [
    ["gpt-5", "gpt-5-mini"],
    ["llama3.2", "llama3.2:1b"],
    ["llama3", "llama3.2"],
    ["a-2024", "a-2025"]
  ] as const)
    test(`distinguishes ${one} from ${other}`, () => expect(isSameModel(one, other)).toBe(false))
})
