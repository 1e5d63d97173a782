import { Effect, Layer } from "effect"
import { Encoding, inThread } from "../../../../src/enrich/embedding/encoder/EncoderThread.ts"
import { WIDTH } from "../../../../src/enrich/embedding/encoder/ModelFile.ts"
import { serveThread } from "../../../../src/runtime/ThreadWork.ts"

/** A thread whose vectors tell how long a text is, and which purpose it has. */
serveThread(
  inThread,
  Layer.succeed(Encoding, {
    embed: (text, of) =>
      Effect.sync(() => {
        const vector = new Float32Array(WIDTH)
        vector[text.length + (of === "links" ? 0 : 100)] = 1
        return vector
      })
  })
)
