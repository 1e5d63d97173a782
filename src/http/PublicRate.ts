import { HttpServerRequest, HttpServerRespondable } from "@effect/platform"
import { Clock, Effect, Option } from "effect"
import ipaddr from "ipaddr.js"
import { TooManyRequests } from "../api/Failures.ts"

/** How many requests a client may send at once, and how many more a second (token bucket). */
interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Lists, searches and feeds. */
const READING: Rate = { burst: 600, perSecond: 20 }
/** Pictures: a page shows a hundred of them. */
const LOOKING: Rate = { burst: 3_000, perSecond: 100 }
/** How many clients are remembered; the one seen longest ago is forgotten first. */
const MOST_CLIENTS = 10_000

/** Where a proxy stands: on this machine, or in a private network. */
const near: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "linkLocal",
  "carrierGradeNat"
])

const parse = (address: string) => {
  const text = address.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1")
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** One client: an IPv4 address, or the /64 network of an IPv6 address, which one subscriber has to itself. */
const clientOf = (address: ReturnType<typeof ipaddr.process>) =>
  address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".")

/**
 * Who asks. A peer on this machine or its network is a proxy: then it is the last address in X-Forwarded-For, which the
 * proxy itself wrote; those before it are the client's own claim.
 */
export const publicClient = (peer: string, forwarded: string | undefined): string => {
  const direct = parse(peer)
  const last = forwarded === undefined ? undefined : parse(forwarded.split(",").at(-1) ?? "")
  if (direct === undefined) return last === undefined ? "unknown" : clientOf(last)
  return last !== undefined && near.has(direct.range()) ? clientOf(last) : clientOf(direct)
}

const makeBuckets = ({ burst, perSecond }: Rate) => {
  const clients = new Map<string, { tokens: number; at: number }>()
  /** Takes a token; where there is none, the seconds until there is one. */
  return (client: string, now: number): Option.Option<number> => {
    const known = clients.get(client)
    const tokens =
      known === undefined
        ? burst
        : Math.min(burst, known.tokens + (Math.max(0, now - known.at) / 1000) * perSecond)
    clients.delete(client)
    const [oldest] = clients.keys()
    if (clients.size >= MOST_CLIENTS && oldest !== undefined) clients.delete(oldest)
    clients.set(client, { tokens: tokens < 1 ? tokens : tokens - 1, at: now })
    return tokens < 1 ? Option.some(Math.ceil((1 - tokens) / perSecond)) : Option.none()
  }
}

/** Lets each client ask at a fair rate: what goes beyond it is answered 429 with Retry-After. */
export const makePublicRate = Effect.sync(() => {
  const limited = (rate: Rate) => {
    const take = makeBuckets(rate)
    return <A, E, R>(answer: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        const client = publicClient(
          Option.getOrElse(remoteAddress, () => ""),
          headers["x-forwarded-for"]
        )
        const wait = take(client, yield* Clock.currentTimeMillis)
        // As a response: a failure of the interface would go out without its header.
        return Option.isSome(wait)
          ? yield* HttpServerRespondable.toResponse(new TooManyRequests(wait.value))
          : yield* answer
      })
  }
  return { reading: limited(READING), looking: limited(LOOKING) }
})
