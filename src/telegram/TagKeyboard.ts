import { Array, Effect, Option } from "effect"
import type { Link } from "../domain/Link.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { LikelyTags } from "../library/LikelyTags.ts"
import { shortened } from "../shared/Text.ts"
import { button, rowsOf } from "./Buttons.ts"
import { cardWithChoices } from "./Card.ts"
import { type Content, italic, text } from "./Content.ts"

/** Maximum number of the link's own tags among the buttons; the likely ones follow. */
const MAX_OWN = 16
const BUTTONS_PER_ROW = 2
const MAX_LABEL = 24

/** A link's card with tags as buttons; `list` is the number under which the tags are kept. */
const keyboardOf = (link: Link, list: number, tags: ReadonlyArray<string>): Content => {
  const { id } = link
  const toggles = tags.map((tag, index) => {
    const has = link.tags.includes(tag)
    const label = `${has ? "✓ " : ""}${shortened(tag, MAX_LABEL)}`
    return button(label, { _tag: "Tag", id, list, index, on: !has })
  })
  return cardWithChoices(
    link,
    [...rowsOf(toggles, BUTTONS_PER_ROW), [button("Done", { _tag: "Card", id })]],
    { foot: italic(text(`For other tags, send /tag ${id} effect -draft; the minus removes one.`)) }
  )
}

export const makeTagKeyboard = Effect.gen(function* () {
  const likely = yield* LikelyTags
  const memory = yield* ChatMemory

  return {
    /** Looks up the tags; the effect it returns keeps them for the buttons, in the caller's transaction. */
    prepare: Effect.fn("TagKeyboard.prepare")(function* (link: Link) {
      const tags = Array.dedupe([...link.tags.slice(0, MAX_OWN), ...(yield* likely.of(link))])
      return Effect.map(memory.keepTags(tags), (list) => keyboardOf(link, list, tags))
    }),
    /** Returns the tag behind a button; none if the buttons have expired. */
    tagAt: Effect.fn("TagKeyboard.tagAt")(function* (list: number, index: number) {
      return Option.flatMap(yield* memory.keptTags(list), Array.get(index))
    }),
    /** Shows the same buttons again, for the link as it is now. */
    again: Effect.fn("TagKeyboard.again")(function* (link: Link, list: number) {
      const tags = Option.getOrElse(yield* memory.keptTags(list), (): ReadonlyArray<string> => [])
      return keyboardOf(link, list, tags)
    })
  }
})
