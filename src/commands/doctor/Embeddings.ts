import { Effect } from "effect"
import { Embedder } from "../../enrich/Embedder.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { type StoredEmbedder, storedEmbedders } from "../../store/StoredEmbedders.ts"
import { count } from "../InWords.ts"
import { libraryFolder } from "./DataFolder.ts"
import { type Check, fail, type Line, ok, PATIENCE, warn, within } from "./Finding.ts"

const ADVICE =
  "See EMBEDDINGS_URL, EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY; without it search goes by words alone."

const ANEW =
  "The service makes them anew behind all else, once it runs with this embedder; `linkbower reindex` makes them at once."

/** How the vectors that are kept go with those that this embedder makes. */
const kept = (
  stored: ReadonlyArray<StoredEmbedder>,
  name: string,
  dimensions: number
): ReadonlyArray<Line> => {
  const others = stored.filter((one) => one.name !== name && one.vectors > 0)
  const own = stored.find((one) => one.name === name)
  if (own !== undefined && own.vectors > 0 && own.dimensions !== dimensions)
    return [
      warn(
        "vectors",
        `${count(own.vectors, "vector")} of it have ${own.dimensions} dimensions, and it makes ${dimensions}`,
        ANEW
      )
    ]
  if (others.length > 0)
    return [
      warn("vectors", others.map((one) => `${count(one.vectors, "vector")} of ${one.name}`).join(", "), ANEW)
    ]
  return own === undefined ? [] : [ok("vectors", `${count(own.vectors, "vector")} of it kept`)]
}

/** Whether the embedder of the settings answers, how long its vectors are, and whether those kept are of its kind. */
export const embeddings: Check<Embedder> = Effect.gen(function* () {
  const { current } = yield* Embedder
  const stored = yield* storedEmbedders(dataFolder(yield* libraryFolder).library)
  return yield* Effect.match(current.embed(["bower"]), {
    onSuccess: ([vector]) => {
      const dimensions = vector?.length ?? 0
      const built = current.inProcess ? "built in, " : ""
      return [
        ok("embedder", `${built}${current.name}, ${dimensions} dimensions`),
        ...kept(stored, current.name, dimensions)
      ]
    },
    onFailure: ({ reason }) => [fail("embedder", `${current.name}: ${reason}`, ADVICE)]
  })
}).pipe((check) => within(check, fail("embedder", "does not answer in time", ADVICE), PATIENCE))
