import type { Link, LinkId } from "../domain/Link.ts"
import type { Outgoing } from "../store/OutboxStore.ts"
import type { ChatMessage } from "./Chat.ts"
import { manyReply } from "./Replies.ts"

/** So many replies about saves are still sent one by one. */
const MOST_SINGLE = 3
/** A digest lists this many links. */
const MOST_LINKS = 30

/** A reply that waits, and what it says. */
export interface Waiting {
  readonly outgoing: Outgoing
  readonly message: ChatMessage
}

const savesOf = ({ message }: Waiting) => message.saves ?? []

/** It tells of saves alone, in a message of its own. */
const tellsOfSaves = ({ message }: Waiting) =>
  (message.saves ?? []).length > 0 &&
  message.job === undefined &&
  message.replaces === undefined &&
  message.asks === undefined

/**
 * The replies, from the first on, that are told as one: where several about saves in the same chat wait one behind
 * another, as many of them as one digest has room for; else the first alone.
 */
export const together = (waiting: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  const first = waiting.slice(0, 1)
  const other = waiting.findIndex(
    (one) => !tellsOfSaves(one) || one.message.chatId !== first[0]?.message.chatId
  )
  const row = other === -1 ? waiting : waiting.slice(0, other)
  if (row.length <= MOST_SINGLE) return first
  let links = 0
  const full = row.findIndex((one) => {
    links += savesOf(one).length
    return links > MOST_LINKS
  })
  return full === -1 ? row : row.slice(0, Math.max(1, full))
}

/** Every link the replies tell of, once, with whether any of them made it. */
export const savesIn = (replies: ReadonlyArray<Waiting>): ReadonlyMap<LinkId, boolean> => {
  const saves = new Map<LinkId, boolean>()
  for (const { created, linkId } of replies.flatMap(savesOf))
    saves.set(linkId, created || saves.get(linkId) === true)
  return saves
}

/** What one message says in place of all these replies; `links` are those that are still there. */
export const digest = (
  chatId: number,
  saves: ReadonlyMap<LinkId, boolean>,
  links: ReadonlyArray<Link>
): ChatMessage => {
  const { html, buttons } = manyReply(links.map((link) => ({ link, created: saves.get(link.id) === true })))
  return { chatId, html: html.html, replyTo: null, ...(buttons === undefined ? {} : { buttons }) }
}
