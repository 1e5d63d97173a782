import { Data, Effect } from "effect"
import { dnsResolver } from "../../../runtime/Names.ts"
import { VERSION } from "../../../version.ts"

/** The encoder's file as this version's release carries it, made by `test/bench/training/encoder.ts`. */
export const modelRelease = {
  name: "linkbower-encoder-1.bin",
  bytes: 30_649_824,
  sha256: "5e35ec3a2761cd1a1d97545e65d0ddbea4fe9fba9a73e30c046ca9668c65d8e1"
} as const

export const isReleased = (bytes: Uint8Array): boolean =>
  bytes.length === modelRelease.bytes && Bun.SHA256.hash(bytes, "hex") === modelRelease.sha256

/** The address of all releases, which the bundler fills in for a release; undefined in other programs. */
declare const RELEASES: string | undefined

/** Where this version's file is downloaded from; undefined if the program belongs to no release. */
export const modelAddress = (): string | undefined =>
  typeof RELEASES === "string" ? `${RELEASES}/download/v${VERSION}/${modelRelease.name}` : undefined

/** The file could not be had; `message` says why. */
export class ModelUnavailable extends Data.TaggedError("ModelUnavailable")<{ readonly message: string }> {}

const TIMEOUT = "10 minutes"

/** Downloads the file, at most as many bytes as it has. */
export const downloadModel = (address: string): Effect.Effect<Uint8Array, ModelUnavailable> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await dnsResolver.fetch(address, { signal, proxy: false })
      if (!response.ok || response.body === null) throw new Error(`it answered ${response.status}`)
      const bytes = new Uint8Array(modelRelease.bytes)
      let at = 0
      for await (const chunk of response.body) {
        if (at + chunk.length > bytes.length) throw new Error("the file is too long")
        bytes.set(chunk, at)
        at += chunk.length
      }
      return bytes.subarray(0, at)
    },
    catch: (error) =>
      new ModelUnavailable({
        message: `${address} could not be downloaded: ${error instanceof Error ? error.message : String(error)}.`
      })
  }).pipe(
    Effect.timeoutFail({
      duration: TIMEOUT,
      onTimeout: () => new ModelUnavailable({ message: `${address} does not answer in time.` })
    })
  )
