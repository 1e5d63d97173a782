import { Cause, Duration, Effect } from "effect"
import type { DuplicateGroup, Job, JobAction, ShownJob } from "../domain/Job.ts"
import type { Link } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import { ChatChanges } from "../library/ChatChanges.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { Jobs } from "../library/Jobs.ts"
import type { PreviewOutdated } from "../library/Organize.ts"
import type { RecategorizeEstimate } from "../library/Recategorize.ts"
import { Service } from "../runtime/Services.ts"
import { makeThrottle, type Throttle } from "../runtime/Throttle.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { shortPath } from "../shared/CollectionPath.ts"
import { count, grouped, outOf, percent } from "../shared/Format.ts"
import { warningText } from "../shared/ImportWarnings.ts"
import { shortened } from "../shared/Text.ts"
import { type AwaitedJob, JobMessageStore } from "../store/jobs/JobStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { button, rowsOf } from "./Buttons.ts"
import { cardOf, checkLine, linkLine } from "./Card.ts"
import { Chat } from "./Chat.ts"
import { bold, type Content, concat, empty, type Html, italic, lines, link, text } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

/** Maximum number of collections or groups of duplicates listed in a result. */
const MAX_LISTED = 10
const MAX_TITLE = 100
/** Maximum number of addresses listed of a group, and their length. */
const MAX_ADDRESSES = 3
const MAX_ADDRESS = 70
const MERGES_PER_ROW = 3

const doing: Record<JobAction, string> = {
  refresh: "Refreshing",
  recategorize: "Recategorizing",
  organize: "Organizing",
  dupes: "Looking for duplicates",
  reindex: "Indexing",
  import: "Importing",
  read: "Reading pages",
  keep: "Keeping pages",
  retry: "Retrying",
  check: "Looking at the page",
  undo: "Undoing changes"
}

type Progress = Pick<Job, "action" | "done" | "total">

/** The jobs whose verb takes links as its object. */
const ofLinks: ReadonlySet<JobAction> = new Set(["refresh", "recategorize", "organize", "import"])

/** The progress of a running job: its size until it has begun, then how far it is. */
export const progressReply = ({ action, done, total }: Progress): Html => {
  if (done > 0) return text(`⏳ ${doing[action]}… ${grouped(done)} of ${count(total, "link")}`)
  return text(`⏳ ${doing[action]}${ofLinks.has(action) && total > 0 ? ` ${count(total, "link")}` : ""}…`)
}

export const runningReply = (job: Progress): Html => lines([text("Already running."), progressReply(job)])

type Result<A extends JobAction> = Extract<ShownJob, { readonly action: A }>["result"]

const more = (unnamed: number) => (unnamed > 0 ? italic(text(`and ${unnamed} more`)) : empty)
const undo = (
  { id, undo: token }: Pick<Job, "id" | "undo">,
  label = "↩ Undo"
): NonNullable<Content["buttons"]> => (token === null ? [] : [[button(label, { _tag: "UndoJob", job: id })]])

/** The collections of moves with their sizes, the largest first; new ones are marked. */
const destinations = ({ formed = [], moves = [] }: NonNullable<Result<"organize">>): ReadonlyArray<Html> => {
  const isNew = new Set(formed)
  const sizes = new Map<string, number>()
  for (const { to } of moves) sizes.set(to, (sizes.get(to) ?? 0) + 1)
  const named = [...sizes].sort((a, b) => b[1] - a[1])
  return [
    ...named
      .slice(0, MAX_LISTED)
      .map(([name, size]) =>
        text(`📁 ${shortPath(name, MAX_TITLE)}: ${grouped(size)}${isNew.has(name) ? " (new)" : ""}`)
      ),
    more(named.length - MAX_LISTED)
  ]
}

const NOTHING_TO_FILE = "Nothing to organize: no unfiled link is similar enough to others."

const formedText = ({ collections }: NonNullable<Result<"organize">>) =>
  collections > 0 ? `, ${count(collections, "new collection")}` : ""

const organized = (result: Result<"organize">): Html =>
  result === null || result.filed === 0
    ? text(NOTHING_TO_FILE)
    : lines([
        bold(text(`Filed ${count(result.filed, "link")}${formedText(result)}.`)),
        ...destinations(result)
      ])

/** Says why a preview cannot be applied as it was shown. */
export const outdatedReply = ({ because }: PreviewOutdated): Html => {
  if (because === "applied") return text("This preview has expired. Send /organize for a new one.")
  const what =
    because === "collections"
      ? "The collections have changed since this preview."
      : `${count(because, "link has", "links have")} changed since this preview.`
  return text(`${what} Nothing was filed. Send /organize for a new one.`)
}

const preview = (job: number, result: NonNullable<Result<"organize">>): Content => {
  const { filed, moves = [] } = result
  if (moves.length === 0) return { html: text(NOTHING_TO_FILE) }
  const left = filed - moves.length
  return {
    html: lines([
      bold(text(`${count(moves.length, "link")} to file${formedText(result)}:`)),
      ...destinations(result),
      left > 0
        ? italic(text(`The most similar first. Send /organize again for the other ${grouped(left)}.`))
        : empty
    ]),
    buttons: [
      [
        button(`File ${grouped(moves.length)}`, { _tag: "FilePreview", job }),
        button("Cancel", { _tag: "DropPreview", job })
      ]
    ]
  }
}

export const recategorizeQuestion = (
  { links, requests, resumes }: RecategorizeEstimate,
  words: { readonly all: boolean; readonly otherModel: boolean }
): Content => {
  if (links === 0)
    return {
      html: text(
        words.otherModel
          ? "There is nothing to do: no summary is by another model."
          : "There is nothing to do: no link has a category that isn’t yours."
      )
    }
  const how =
    requests === 0
      ? "No language model is set up, so each gets the most common category of the most similar links."
      : `This takes about ${count(requests, "request")} to the language model.`
  return {
    html: lines([
      bold(text(`Choose the category of ${count(links, "link")} again?`)),
      text(`${how}${resumes ? " It continues where the last run stopped." : ""}`)
    ]),
    buttons: [
      [
        button("Recategorize", { _tag: "Recategorize", scope: words, on: true }),
        button("Cancel", { _tag: "Recategorize", scope: words, on: false })
      ]
    ]
  }
}

const recategorized = (result: Result<"recategorize">): Html => {
  const { categories, changed } = result ?? { changed: 0, categories: 0 }
  if (changed === 0)
    return text(`No category changed; ${count(categories, "category", "categories")} in use.`)
  return bold(
    text(`${count(changed, "link")} recategorized; ${count(categories, "category", "categories")} in use.`)
  )
}

const imported = (result: Result<"import">): Html => {
  if (result === null) return text("Imported.")
  const { created, format, merged, rejected, warnings } = result
  const parts = [
    created === 0 ? "no new links" : `${count(created, "link")} imported`,
    ...(merged === 0 ? [] : [`${grouped(merged)} already here`]),
    ...(rejected === 0 ? [] : [`${grouped(rejected)} skipped`])
  ]
  return lines([
    text(`${format.charAt(0).toUpperCase()}${format.slice(1)}: ${parts.join(" · ")}`),
    ...warnings.map((warning) => text(warningText(warning)))
  ])
}

const retried = (result: Result<"retry">): Html => {
  const { arrivals, complete, tried } = result ?? { tried: 0, complete: 0, arrivals: 0 }
  if (tried + arrivals === 0) return text("Nothing to retry: every link is complete.")
  const again =
    arrivals > 0 ? ` ${count(arrivals, "message or capture", "messages or captures")} restarted.` : ""
  return text(`Completed ${grouped(complete)} of ${count(tried, "incomplete link")}.${again}`)
}

export const groupsOf = (job: ShownJob): ReadonlyArray<DuplicateGroup> =>
  job.action === "dupes" ? (job.result?.groups ?? []) : []

const reasonOf = ({ proposed, reason, similarity }: DuplicateGroup) =>
  reason === "same-page"
    ? "the same page"
    : proposed === true
      ? "perhaps the same, on different sites"
      : `${percent(similarity)}% similar`

const addressLine = ({ id, url }: Link): Html => concat(text(`#${id} `), link(url, text(url, MAX_ADDRESS)))

const duplicates = (job: number, groups: ReadonlyArray<DuplicateGroup>): Content => {
  if (groups.length === 0) return { html: text("No duplicates found.") }
  const shown = groups.slice(0, MAX_LISTED)
  const items = shown.map((group, index) => {
    const [first] = group.links
    return lines([
      text(`${index + 1}. ${shortened(first?.title ?? "", MAX_TITLE)}: ${reasonOf(group)}`),
      ...group.links.slice(0, MAX_ADDRESSES).map(addressLine),
      more(group.links.length - MAX_ADDRESSES)
    ])
  })
  const merges = shown.flatMap(({ links, proposed }, index) =>
    links
      .slice(0, proposed === true ? 0 : 1)
      .map(({ id }) => button(`Merge ${index + 1}`, { _tag: "Merge", job, id }))
  )
  return {
    html: lines([
      bold(text(`${count(groups.length, "group")} of duplicates:`)),
      ...items,
      more(groups.length - MAX_LISTED)
    ]),
    buttons: rowsOf(merges, MERGES_PER_ROW)
  }
}

export const mergeQuestion = (job: number, { links }: DuplicateGroup): Content => {
  const [into, ...others] = links
  if (into === undefined) return { html: text("Nothing left to merge.") }
  return {
    html: lines([
      concat(text(`Merge ${count(links.length, "link")} into `), linkLine(into, MAX_TITLE), text("?")),
      addressLine(into),
      ...others.slice(0, MAX_LISTED).flatMap((one) => [linkLine(one, MAX_TITLE), addressLine(one)]),
      more(others.length - MAX_LISTED),
      text("Notes, tags and marks are combined; the other links are moved to the trash.")
    ]),
    buttons: [
      [button("Merge", { _tag: "MergeForGood", job, id: into.id }), button("Cancel", { _tag: "Report", job })]
    ]
  }
}

const looked = (it: Link): Html => {
  if (it.check.state === "ok") return text("The page is where it was.")
  if (it.check.state === "unknown") return text("The site doesn’t say whether the page is still there.")
  return checkLine(it)
}

export const resultReply = (job: ShownJob): Content => {
  const { action, done, error, state, total } = job
  if (state === "failed") return { html: text(`${doing[action]} failed. ${error ?? ""}`), buttons: undo(job) }
  if (state === "interrupted")
    return {
      html: text(
        `${doing[action]} was interrupted${total === 0 ? "" : ` at ${grouped(done)} of ${count(total, "link")}`}. Send the ${action === "import" ? "file" : "command"} again to continue.`
      ),
      buttons: undo(job)
    }
  switch (job.action) {
    case "organize":
      return job.result?.dryRun === true
        ? preview(job.id, job.result)
        : { html: organized(job.result), buttons: undo(job) }
    case "recategorize":
      return { html: recategorized(job.result), buttons: undo(job) }
    case "dupes":
      return duplicates(job.id, groupsOf(job))
    case "import":
      return { html: imported(job.result), buttons: undo(job, "↩ Take back") }
    case "retry":
      return { html: retried(job.result) }
    case "refresh":
      return {
        html: text(
          job.result !== null && "tried" in job.result
            ? `${outOf(job.result.refreshed, job.result.tried, "link")} refreshed.`
            : "Done."
        )
      }
    case "check":
      return { html: job.result === null ? text("Done.") : looked(job.result.link) }
    case "read":
    case "keep":
    case "reindex":
    case "undo":
      return { html: text("Done.") }
  }
}

const POLL_INTERVAL = Duration.seconds(1)
/** Minimum time between edits of a message; Telegram allows about twenty edits per minute. */
const EDIT_INTERVAL = Duration.seconds(3)
/** Initial and maximum backoff of a failed report, in milliseconds. */
const MIN_BACKOFF = 2_000
const MAX_BACKOFF = 600_000

const make = Effect.gen(function* () {
  const memory = yield* ChatMemory
  const shown = yield* JobMessageStore
  const jobs = yield* Jobs
  const links = yield* LinkStore
  const changes = yield* ChatChanges
  const outbox = yield* Outbox
  const chat = yield* Chat
  const reports = yield* makeWorkLoop
  const { wake } = reports
  /** Failed reports by job, with their backoff and next attempt; other reports do not wait for them. */
  const failed = new Map<number, { readonly pause: number; readonly next: number }>()
  const backOff = (job: number, cause: Cause.Cause<unknown>) =>
    Effect.suspend(() => {
      const pause = Math.min((failed.get(job)?.pause ?? MIN_BACKOFF / 2) * 2, MAX_BACKOFF)
      failed.set(job, { pause, next: performance.now() + pause })
      return Effect.logError(`reporting job ${job} failed`, cause)
    })
  const edits = new Map<number, { readonly text: string; readonly throttle: Throttle }>()

  const progress = Effect.fnUntraced(function* ({ chatId, ...job }: AwaitedJob) {
    // A refresh leaves the link's card in place while its page is being read.
    const messageId = job.subject !== null ? undefined : yield* shown.messageOf(job.id)
    const { html } = progressReply(job)
    const { text, throttle } = edits.get(job.id) ?? { text: "", throttle: makeThrottle(EDIT_INTERVAL) }
    if (messageId === undefined || text === html) return
    yield* throttle(
      Effect.suspend(() => {
        edits.set(job.id, { text: html, throttle })
        // The next edit or the result makes up for a failed edit.
        return Effect.ignore(chat.edit(messageId, { chatId, html, replyTo: null }))
      })
    )
  })

  const subjectOf = ({ subject }: Job) => links.getAll(subject === null ? [] : [subject])

  const report = Effect.fn("JobReports.report")(function* (job: Job) {
    const content = resultReply(yield* jobs.shown(job))
    const [link] = yield* subjectOf(job)
    if (link === undefined) return content
    return cardOf(link, job.state === "done" ? {} : { foot: italic(content.html) })
  })

  const end = Effect.fnUntraced(function* ({ chatId, ...job }: AwaitedJob) {
    const { html, ...content } = yield* report(job)
    const about = (yield* subjectOf(job)).map(({ id }) => id)
    yield* memory.reportJob(
      job.id,
      Effect.gen(function* () {
        yield* outbox.add({ ...content, chatId, html: html.html, replyTo: null, job: job.id }, about)
        if (job.undo !== null) yield* changes.record(job.undo, { kind: "job", action: job.action })
      })
    )
    edits.delete(job.id)
    failed.delete(job.id)
  })

  const poll = Effect.gen(function* () {
    const unreported = yield* shown.unreported
    const now = performance.now()
    for (const one of unreported) {
      if ((failed.get(one.id)?.next ?? 0) > now) continue
      yield* Effect.catchAllCause(one.state === "running" ? progress(one) : end(one), (cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.interrupt : backOff(one.id, cause)
      )
    }
    if (unreported.length === 0) return Duration.infinity
    // Slept here, because a wake would shorten a rest: a second job must not make polls more frequent.
    yield* Effect.sleep(POLL_INTERVAL)
    return Duration.zero
  })

  return {
    /** Replies to the command that started the job, in the caller's transaction. */
    started: Effect.fn("JobReports.started")(function* (job: Job, { chatId, messageId }: MessageRef) {
      const first = yield* memory.awaitJob(job.id, { chatId, messageId: null }, wake)
      const message = first
        ? { html: progressReply(job).html, job: job.id }
        : { html: runningReply(job).html }
      yield* outbox.add({ ...message, chatId, replyTo: messageId }, [])
    }),
    /** Replaces this message by the result, or sends it if `messageId` is null; false if the chat waits already. */
    startedFromButton: Effect.fn("JobReports.startedFromButton")(
      (job: Job, place: { readonly chatId: number; readonly messageId: number | null }) =>
        memory.awaitJob(job.id, place, wake)
    ),
    report,
    /** Reports jobs continuously, oldest first, including jobs that a restart interrupted. */
    run: reports.run(poll, {
      name: "reporting jobs",
      backoff: { first: POLL_INTERVAL, most: POLL_INTERVAL }
    })
  }
})

/** Reports the jobs started from the chat: one message each, edited with the progress and finally the result. */
export class JobReports extends Service<JobReports>()("JobReports", make) {}
