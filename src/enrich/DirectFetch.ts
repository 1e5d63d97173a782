import { names } from "../runtime/Names.ts"

/** Options of a request that goes nowhere but to the address asked: no redirect, and no proxy of the environment. */
export const direct = { redirect: "manual", proxy: false } as const

/** Passes on the first `limit` bytes and ends the stream there. */
const firstBytes = (limit: number) => {
  let left = limit
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.byteLength
      if (left <= 0) controller.terminate()
    }
  })
}

/** A `fetch` for requests that carry a credential: `direct`, and an answer ends after `maxBytes`. */
export const directFetch =
  (maxBytes: number) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await names.fetch(input, { ...init, ...direct })
    return new Response(response.body?.pipeThrough(firstBytes(maxBytes)) ?? null, response)
  }
