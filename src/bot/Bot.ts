import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Job } from "../domain/Job.ts"
import { Link } from "../domain/Link.ts"
import { joinNotes, replaceNote } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { FindDuplicates } from "../library/FindDuplicates.ts"
import type { Handler } from "../library/Inbox.ts"
import { Organize } from "../library/Organize.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { type Saved, SaveLink, type SaveRequest } from "../library/SaveLink.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { parseQuery } from "../search/Query.ts"
import { InboxStore } from "../store/InboxStore.ts"
import { type Claimed, LinkStore } from "../store/LinkStore.ts"
import { MessageStore } from "../store/MessageStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import type { Html } from "./Html.ts"
import { JobReports } from "./JobReports.ts"
import { Outbox } from "./Outbox.ts"
import * as Replies from "./Replies.ts"
import { type ChatUpdate, type Links, readUpdate } from "./Update.ts"

/** How many matches a search in the chat shows. */
const SHOWN = 5

const decodeLinks = Schema.decode(Schema.Array(Schema.parseJson(Link)))

type Of<Tag extends ChatUpdate["_tag"]> = Extract<ChatUpdate, { readonly _tag: Tag }>

/** Starts work on the library. */
type StartJob = Effect.Effect<Job, StoreUnavailable>

/** Where a reply goes. */
type At = Pick<Of<"Search">, "chatId" | "messageId">

/** What the message says of its links, with where it was forwarded from. */
const noteOf = ({ note, source }: Links) => (source === null ? note : joinNotes(note, source))

const requestsOf = (links: Links): ReadonlyArray<SaveRequest> =>
  links.urls.flatMap((given) =>
    Option.match(parseWebUrl(given), {
      onNone: () => [],
      onSome: (url) => [{ given, url, note: noteOf(links), tags: links.tags, hints: {} }]
    })
  )

/** Does what chat updates ask for, and answers them. */
export class Bot extends Context.Tag("Bot")<Bot, { readonly work: Handler }>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const inbox = yield* InboxStore
      const links = yield* LinkStore
      const list = yield* SearchLinks
      const messages = yield* MessageStore
      const outbox = yield* Outbox
      const saveLink = yield* SaveLink
      const reports = yield* JobReports
      const organize = yield* Organize
      const recategorize = yield* Recategorize
      const duplicates = yield* FindDuplicates
      const jobs = new Map<string, StartJob>([
        ["organize", organize.start({ dryRun: false })],
        ["recategorize", recategorize.start({ byHand: false })],
        ["dupes", duplicates.start]
      ])
      const transaction = yield* Transaction

      const reply = ({ chatId, messageId }: At, message: Html, about: ReadonlyArray<Link> = []) =>
        outbox.add(
          { chatId, html: message.html, replyTo: messageId },
          about.map(({ id }) => id)
        )

      /** Everything that is no save: what it does, its answer and its end are one transaction. */
      const settled = <E>(id: number, work: Effect.Effect<void, E>) =>
        orDefect(transaction(Effect.zipRight(work, inbox.done(id))))

      const save = Effect.fn("Bot.save")(function* (id: number, update: Links) {
        // A message that was taken up before made some of its links then, and says so now.
        const before = new Map((yield* messages.linksOf(update)).map((link) => [link.linkId, link]))
        const made = ({ created, link }: Claimed) => created || before.get(link.id)?.created === true
        const claimed = (claims: ReadonlyArray<Claimed>) =>
          Effect.forEach(
            claims,
            (claim) =>
              messages.record(update, { linkId: claim.link.id, note: noteOf(update), created: made(claim) }),
            { discard: true }
          )
        const settle = (saved: ReadonlyArray<Saved>) =>
          Effect.zipRight(
            reply(
              update,
              answerTo(
                update,
                saved.map((one) => ({ link: one.link, created: made(one), filed: one.filed }))
              ),
              saved.map(({ link }) => link)
            ),
            inbox.done(id)
          )
        yield* saveLink.save(requestsOf(update), { again: false, claimed, settle })
      })

      /** The notes a message made follow what it says now; a link it no longer names stays. */
      const edit = Effect.fn("Bot.edit")(function* (id: number, update: Links) {
        const now = noteOf(update)
        const changed: Array<Link> = []
        yield* orDefect(
          transaction(
            Effect.gen(function* () {
              for (const { created, linkId, note } of yield* messages.linksOf(update)) {
                const link = Option.getOrUndefined(yield* Effect.option(links.get(linkId)))
                if (link === undefined || note === now) continue
                const next = replaceNote(link.note, note, now)
                if (next !== link.note) {
                  yield* links.setNote(linkId, next)
                  changed.push({ ...link, note: next })
                }
                yield* messages.record(update, { linkId, note: now, created })
              }
            })
          )
        )
        const known = new Set((yield* messages.linksOf(update)).map(({ linkId }) => linkId))
        const claimed = (claims: ReadonlyArray<Claimed>) =>
          Effect.forEach(
            claims,
            ({ created, link }) => messages.record(update, { linkId: link.id, note: now, created }),
            {
              discard: true
            }
          )
        const settle = (saved: ReadonlyArray<Saved>) =>
          Effect.gen(function* () {
            const added = saved.filter(({ link }) => !known.has(link.id))
            if (added.length > 0)
              yield* reply(
                update,
                answerTo(update, added),
                added.map(({ link }) => link)
              )
            for (const link of changed) yield* reply(update, Replies.noteReply(link), [link])
            yield* inbox.done(id)
          })
        yield* saveLink.save(requestsOf(update), { again: false, claimed, settle })
      })

      const setNote = Effect.fnUntraced(function* (update: Of<"SetNote">) {
        const [about, ...more] = yield* messages.linksOf({ chatId: update.chatId, messageId: update.replyTo })
        const link = about && Option.getOrUndefined(yield* Effect.option(links.get(about.linkId)))
        if (link === undefined || more.length > 0)
          return yield* reply(update, Replies.hintReply("no-such-message"))
        const note = joinNotes(link.note, update.note)
        yield* links.setNote(link.id, note)
        yield* reply(update, Replies.noteReply({ ...link, note }), [link])
      })

      /** The search is made before the transaction of its answer, which it would hold up. */
      const search = Effect.fnUntraced(function* (id: number, update: At & { readonly text: string }) {
        const page = yield* list.page(
          { ...parseQuery(update.text), sort: "relevance", limit: SHOWN },
          "owner"
        )
        const found = yield* Effect.orDie(decodeLinks(page.links))
        yield* settled(id, reply(update, Replies.searchReply(update.text, found, page.total)))
      })

      const command = (id: number, update: Of<"Command">) => {
        const job = jobs.get(update.name)
        if (job !== undefined) return startJob(id, update, job)
        if (update.name === "find" && update.args !== "") return search(id, { ...update, text: update.args })
        return settled(id, reply(update, Replies.helpReply))
      }

      /** The job is started on its own: its work must not run within the transaction of the answer. */
      const startJob = Effect.fnUntraced(function* (id: number, update: Of<"Command">, start: StartJob) {
        const job = yield* start
        yield* settled(id, reports.started(job, update))
      })

      const perform = (id: number, update: ChatUpdate): Effect.Effect<void, StoreUnavailable> => {
        switch (update._tag) {
          case "Save":
            return save(id, update)
          case "Edit":
            return edit(id, update)
          case "SetNote":
            return settled(id, setNote(update))
          case "Search":
            return search(id, update)
          case "Command":
            return command(id, update)
          case "Hint":
            return settled(id, reply(update, Replies.hintReply(update.reason)))
          case "Callback":
          case "Ignored":
            return inbox.done(id)
        }
      }

      return {
        work: Effect.fn("Bot.work")(({ id, payload }) =>
          Effect.flatMap(Effect.orDie(Schema.decode(Schema.parseJson(Schema.Unknown))(payload)), (update) =>
            perform(id, readUpdate(update))
          )
        )
      }
    })
  )
}

const answerTo = (update: Links, saved: ReadonlyArray<Omit<Saved, "found">>): Html => {
  const [only, ...more] = saved
  if (only === undefined || more.length > 0) return Replies.manyReply(saved)
  return only.created
    ? Replies.savedReply(only.link, Option.getOrUndefined(only.filed))
    : Replies.alreadySavedReply(only.link, noteOf(update) !== "")
}
