import { useEffect, useId, useRef, useState } from "preact/hooks"
import { UNSORTED } from "../../../src/shared/Category.ts"
import { count, percent } from "../../../src/shared/Format.ts"
import { ageOf } from "../age.ts"
import { api, type DuplicateGroup as Group, type Job, type Link } from "../api.ts"
import { differences } from "../difference.ts"
import { externalLink } from "../externalLink.ts"
import { groupsOf } from "../jobOutcome.ts"
import { loadLinks, mergeLinks } from "../state/bulkChanges.ts"
import { deleteLinks } from "../state/changes.ts"
import { deletionClock, linkOf, storeLinks } from "../state/entities.ts"
import { jobs, loadJobs } from "../state/jobs.ts"
import { reloads } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { isDismissed, setDismissed } from "../state/notDuplicates.ts"
import { start } from "../state/startJobs.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { Highlighted } from "./Highlighted.tsx"
import { Icon } from "./Icon.tsx"
import { JobProgress } from "./JobParts.tsx"
import { LinkIcon } from "./LinkImages.tsx"
import { MergeAllDialog } from "./MergeAllDialog.tsx"
import { Notice } from "./Notice.tsx"
import { PageHeader } from "./PageHeader.tsx"
import { Age } from "./Times.tsx"

/** How much the owner has invested in a link. */
const investmentIn = ({ collection, favorite, note, shareable }: Link): number =>
  (favorite ? 4_000_000 : 0) +
  (shareable ? 2_000_000 : 0) +
  (collection === null ? 0 : 1_000_000) +
  note.length

/** The link to keep by default: the one the owner has invested most in, or else the oldest. */
const suggestedKeeper = (links: ReadonlyArray<Link>): number | undefined =>
  links.toSorted(
    (a, b) => investmentIn(b) - investmentIn(a) || a.createdAt.localeCompare(b.createdAt) || a.id - b.id
  )[0]?.id

const Fact = ({ name, text }: { readonly name: string; readonly text: string }) =>
  text === "" ? null : (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  )

interface CopyProps {
  readonly link: Link
  /** The part of its address that differs from the others. */
  readonly differs: readonly [start: number, end: number]
  readonly group: string
  readonly kept: boolean
  readonly onKeep: () => void
}

const Copy = ({ differs, group, kept, link, onKeep }: CopyProps) => (
  <li class="copy boxed" data-kept={kept}>
    <label class="choice hint">
      <input type="radio" name={group} checked={kept} onChange={onKeep} />
      <span>
        Keep this one<span class="visually-hidden">: {link.url}</span>
      </span>
    </label>
    <p class="copy-title" dir="auto">
      <LinkIcon link={link} />
      <a class="plain" {...externalLink(link.url)}>
        {link.title}
      </a>
    </p>
    <p class="copy-url" dir="ltr">
      <Highlighted text={link.url} ranges={[differs]} />
    </p>
    <p class="hint">
      {link.favorite ? (
        <span class="copy-star" title="Favorite">
          <Icon name="star" filled />
          <span class="visually-hidden">Favorite</span>
        </span>
      ) : null}
      saved <Age of={link.createdAt} />
      {link.shareable ? ", shared" : null}
    </p>
    <dl class="stack hint copy-facts">
      <Fact name="Note" text={link.note} />
      <Fact name="Collection" text={link.collection?.name ?? ""} />
      <Fact name="Category" text={link.category === UNSORTED ? "" : link.category} />
      <Fact name="Tags" text={link.tags.map((tag) => `#${tag}`).join(" ")} />
      <Fact name="Summary" text={link.summary || link.description} />
    </dl>
  </li>
)

/** A group that still has several links. */
interface RemainingGroup {
  readonly group: Group
  /** Its links as they are now. */
  readonly links: ReadonlyArray<Link>
}

interface GroupProps extends RemainingGroup {
  /** The link to keep. */
  readonly kept: number | undefined
  readonly onKeep: (id: number) => void
}

/** A group of duplicates side by side, with buttons to merge or delete them, or to mark them as different. */
const DuplicateGroup = ({
  group: { copies, proposed, reason, similarity },
  kept,
  links,
  onKeep
}: GroupProps) => {
  const name = useId()
  const [busy, setBusy] = useState(false)
  const ids = links.map(({ id }) => id)
  const others = ids.filter((id) => id !== kept)
  const parts = differences(links.map(({ url }) => url))
  const dismiss = () => {
    setDismissed(ids, true)
    tell("No longer shown as duplicates.", { action: { label: "Undo", run: () => setDismissed(ids, false) } })
  }
  const merge = async () => {
    if (kept === undefined) return
    setBusy(true)
    await mergeLinks({ into: kept, others })
    setBusy(false)
  }
  return (
    <section class="duplicate-group stack" tabIndex={-1} aria-labelledby={`${name}-reason`}>
      <h2 id={`${name}-reason`}>
        {reason === "near-identical"
          ? proposed === true
            ? "Perhaps the same, on different sites"
            : `Nearly the same, ${percent(similarity)}%`
          : copies === undefined
            ? "Same page"
            : "Same page, or a copy of it"}
        <span class="visually-hidden">: {links[0]?.title},</span>
        <span class="hint"> {links.length} links</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard (axe: scrollable-region-focusable). */}
      <ul class="copies" tabIndex={0} aria-label="The links side by side">
        {links.map((link, at) => (
          <Copy
            key={link.id}
            link={link}
            differs={parts[at] ?? [0, 0]}
            group={name}
            kept={link.id === kept}
            onKeep={() => onKeep(link.id)}
          />
        ))}
      </ul>
      <div class="row">
        <Button kind={proposed === true ? undefined : "primary"} busy={busy} onClick={() => void merge()}>
          Merge into it
        </Button>
        <Button disabled={busy} onClick={() => void deleteLinks(others)}>
          Delete the other{others.length === 1 ? "" : `s (${others.length})`}
        </Button>
        <Button kind="quiet" disabled={busy} onClick={dismiss}>
          Not duplicates
        </Button>
      </div>
      <p class="hint">Merging keeps all notes and tags, and everything you set yourself.</p>
    </section>
  )
}

/** How many groups are shown initially, and how many *Show more* adds. */
const SHOWN = 30

const findDuplicates = () => void start({ action: "dupes" })

const groupKey = ({ links }: Group) => links.map(({ id }) => id).join()

/** The groups that still have several links and were not dismissed, each with its links as they are now. */
const remainingGroups = (groups: ReadonlyArray<Group>): ReadonlyArray<RemainingGroup> => {
  // A deleted link has no signal left to subscribe to; the counts change when one comes back.
  deletionClock.value
  meta.value
  return groups
    .map((group) => ({ group, links: group.links.flatMap(({ id }) => linkOf(id)?.value ?? []) }))
    .filter(({ links }) => links.length > 1 && !isDismissed(links.map(({ id }) => id)))
}

/** Focuses the next group when the focused one disappears. */
const useFocusOnNext = (keys: ReadonlyArray<string>) => {
  const page = useRef<HTMLElement>(null)
  const before = useRef(keys)
  const all = keys.join(" ")
  useEffect(() => {
    const at = before.current.findIndex((key) => !keys.includes(key))
    before.current = keys
    const { activeElement } = document
    if (at === -1 || (activeElement !== document.body && activeElement?.id !== "main")) return
    const groups = page.current?.querySelectorAll<HTMLElement>(".duplicate-group") ?? []
    const next = groups[Math.min(at, groups.length - 1)] ?? page.current
    next?.focus()
  }, [all])
  return page
}

const headingFor = (left: number, found: number): string => {
  if (left > 0) return count(left, "group")
  return found === 0 ? "No duplicates found" : "No duplicates left"
}

const Groups = ({ groups, last }: { readonly groups: ReadonlyArray<Group>; readonly last: Job }) => {
  const [most, setMost] = useState(SHOWN)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [merging, setMerging] = useState(false)
  const all = remainingGroups(groups)
  const page = useFocusOnNext(all.map(({ group }) => groupKey(group)))
  const when = last.endedAt ?? last.startedAt
  const keptIn = (links: ReadonlyArray<Link>) =>
    links.find(({ id }) => chosen.has(id))?.id ?? suggestedKeeper(links)
  const keep = (links: ReadonlyArray<Link>, id: number) =>
    setChosen(new Set([...[...chosen].filter((one) => links.every((link) => link.id !== one)), id]))
  const exact = all.filter(({ group }) => group.reason === "same-page" && group.copies === undefined)
  const merges = exact.flatMap(({ links }) => {
    const into = keptIn(links)
    return into === undefined ? [] : [{ into, others: links.map(({ id }) => id).filter((id) => id !== into) }]
  })
  return (
    <article ref={page} class="duplicates page stack" tabIndex={-1} aria-label="Duplicates">
      <PageHeader
        page="duplicates"
        count={`${headingFor(all.length, groups.length)}, searched ${ageOf(when)}`}
        actions={
          <>
            {exact.length === 0 ? null : (
              <Button onClick={() => setMerging(true)}>Merge all exact matches…</Button>
            )}
            <Button onClick={findDuplicates}>Search again</Button>
          </>
        }
      />
      {all.slice(0, most).map(({ group, links }) => (
        <DuplicateGroup
          key={groupKey(group)}
          group={group}
          links={links}
          kept={keptIn(links)}
          onKeep={(id) => keep(links, id)}
        />
      ))}
      {all.length > most ? <Button onClick={() => setMost(most + SHOWN)}>Show more</Button> : null}
      {merging ? <MergeAllDialog merges={merges} onClose={() => setMerging(false)} /> : null}
    </article>
  )
}

const NeverSearched = ({ failed }: { readonly failed: Job | undefined }) => (
  <Notice
    heading="h1"
    title="Duplicates"
    actions={
      <Button kind="primary" onClick={findDuplicates}>
        Find duplicates
      </Button>
    }
  >
    Finds links that lead to the same page or have nearly the same content. This changes nothing.
    {failed?.error ? <span class="problem"> The last search failed: {failed.error}</span> : null}
  </Notice>
)

/** The duplicates that the last search found, to merge or delete. */
export const DuplicatesPage = () => {
  const [ready, setReady] = useState(false)
  const [found, setFound] = useState<{ readonly job: Job; readonly groups: ReadonlyArray<Group> } | null>(
    null
  )
  const [newest] = jobs.value.filter(({ action }) => action === "dupes")
  const last = jobs.value.find(({ action, state }) => action === "dupes" && state === "done")
  useEffect(() => void loadJobs().then(() => setReady(true)), [])
  useEffect(() => {
    if (last === undefined) return
    api.job(last.id).then(
      ({ job }) => {
        const groups = groupsOf(job)
        storeLinks(groups.flatMap(({ links }) => links))
        setFound({ job, groups })
      },
      (error: unknown) => tellFailure("The duplicates could not be loaded.", error)
    )
  }, [last?.id])
  useEffect(() => {
    if (found === null || reloads.value === 0) return undefined
    const request = new AbortController()
    loadLinks(
      found.groups.flatMap(({ links }) => links.map(({ id }) => id)),
      request.signal
    ).catch((error: unknown) => tellFailure("The links could not be loaded.", error))
    return () => request.abort()
  }, [reloads.value])
  if (!ready) return null
  return (
    <>
      {newest?.state === "running" ? (
        <div class="page stack" role="status">
          <p>Looking for duplicates…</p>
          <JobProgress job={newest} />
        </div>
      ) : null}
      {found !== null ? (
        <Groups groups={found.groups} last={found.job} />
      ) : last === undefined && newest?.state !== "running" ? (
        <NeverSearched failed={newest} />
      ) : null}
    </>
  )
}
