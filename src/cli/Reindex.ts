import { Command } from "@effect/cli"
import { Clock, Console, Effect, Layer, Option } from "effect"
import { Embeddings } from "../library/Embeddings.ts"
import { count } from "../shared/Format.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { Lock } from "../store/Lock.ts"
import { repairIndexes } from "../store/maintenance/RenewIndexes.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { flag } from "./Input.ts"
import { existingLibrary, libraryDatabase } from "./Library.ts"
import { makeProgress, seconds, showingFile } from "./Progress.ts"

const words = flag("words", "Rebuilds the indexes of words and of all other fields, even damaged ones.")

const vectors = flag("vectors", "Gives every link a new vector.")

const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const result = yield* work
    return { result, took: seconds((yield* Clock.currentTimeMillis) - began) }
  })

const renewWords = Effect.fnUntraced(function* (folder: string, isFree: boolean) {
  yield* Console.error("Rebuilding the indexes; writes wait until this is done.")
  const { result, took } = yield* timed(
    showingFile(repairIndexes(folder, isFree), {
      label: "Rebuilding",
      library: dataFolder(folder).library
    })
  )
  yield* Console.log(`Rebuilt the indexes in ${took}.`)
  if (Option.isNone(result)) return
  const { aside, doubles } = result.value
  yield* Console.log(`The damaged library is kept as ${aside}`)
  if (doubles > 0)
    yield* Console.log(
      `${count(doubles, "link")} had been saved twice: merge them in the dashboard under Duplicates.`
    )
})

/** Embeds waiting links in this process, except links that never had a vector: the service embeds and files those. */
const embedAll = Effect.gen(function* () {
  const embeddings = yield* Embeddings
  yield* embeddings.verifyEmbedder
  const total = yield* embeddings.waiting
  const printProgress = yield* makeProgress("Embedding")
  let done = 0
  const { took } = yield* timed(
    embeddings.catchUp(
      (batch) => {
        done += batch.length
        return printProgress({ done, total })
      },
      ({ fresh }) => !fresh
    )
  )
  yield* Console.log(`${count(done, "link")} embedded in ${took}.`)
  const left = yield* embeddings.waiting
  if (left > 0) yield* Console.log(`${count(left, "link")} left for the service to embed when it starts.`)
})

const renewVectors = (isFree: boolean) =>
  Effect.gen(function* () {
    const store = yield* VectorStore
    yield* store.queueAll
    if (isFree) return yield* Effect.provide(embedAll, Embeddings.layer)
    const waiting = yield* store.waitingCount
    yield* Console.log(`${count(waiting, "link")} will get a new vector from the running service.`)
  }).pipe(Effect.provide(VectorStore.layer.pipe(Layer.provideMerge(libraryDatabase("refuse")))))

export const command = Command.make("reindex", { words, vectors }, (given) =>
  Effect.gen(function* () {
    const { folder } = yield* existingLibrary
    // Two processes embedding at once would do the work twice; the lock keeps a service from starting meanwhile.
    const isFree = yield* Lock.ifFree(folder)
    if (given.words || !given.vectors) yield* renewWords(folder, isFree)
    if (given.vectors || !given.words) yield* renewVectors(isFree)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Rebuilds the indexes and the vectors."))
