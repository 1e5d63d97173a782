import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { LinksByNumberAnswer } from "../api/Answers.ts"
import { BadRequest } from "../api/Failures.ts"
import { MAX_IDS } from "../api/Parameters.ts"
import { LinkId } from "../domain/Link.ts"
import type { LinkStore } from "../store/LinkStore.ts"
import { given } from "./ListParams.ts"
import { searchParams } from "./SearchParams.ts"

const numbers = new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${MAX_IDS - 1}}$`)

/** Answers the links that the parameter `ids` numbers, in its order; those that are no more are left out. */
export const someLinks = Effect.fn("SomeLinks")(function* (links: LinkStore["Type"]) {
  const ids = given(yield* searchParams, "ids") ?? ""
  if (!numbers.test(ids))
    return yield* new BadRequest(
      `The parameter "ids" must be up to ${MAX_IDS} links' numbers with commas between.`
    )
  const wanted = ids.split(",").map((id) => LinkId.make(Number(id)))
  const found = new Map((yield* links.getAll(wanted)).map((link) => [link.id, link]))
  const answer: LinksByNumberAnswer = { links: [...new Set(wanted)].flatMap((id) => found.get(id) ?? []) }
  return HttpServerResponse.unsafeJson(answer)
})
