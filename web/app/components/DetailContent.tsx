import { type ComponentChildren, Fragment } from "preact"
import { useState } from "preact/hooks"
import { UNSORTED } from "../../../src/shared/Category.ts"
import { count, durationText, percent } from "../../../src/shared/Format.ts"
import { readableAddress, readableHost, readableTitle } from "../../../src/shared/HostName.ts"
import type { Link } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { openDetail } from "../state/detail.ts"
import { open } from "../state/dialogs.ts"
import { linkOf } from "../state/entities.ts"
import { refuseFiling, restoreLinks } from "../state/linkChanges.ts"
import { currentFilters, hrefOf, labelLink, readerHref } from "../state/route.ts"
import { known } from "../state/wholeLink.ts"
import { Button } from "./Button.tsx"
import { DetailReader } from "./DetailReader.tsx"
import { Icon } from "./Icon.tsx"
import { NameInPlace, TagsInPlace, TextInPlace } from "./InPlace.tsx"
import { LinkHighlights } from "./LinkHighlights.tsx"
import { LinkHistory } from "./LinkHistory.tsx"
import { LinkIcon, Preview } from "./LinkImages.tsx"
import { MenuButton } from "./MenuButton.tsx"
import { Note } from "./Note.tsx"
import { PageState } from "./PageState.tsx"
import { Stages } from "./Stages.tsx"
import { StateButtons } from "./StateButtons.tsx"
import { Age, Day } from "./Times.tsx"
import { useLinks } from "./useLinks.ts"

interface Props {
  readonly link: Link
}

const Section = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="detail-section">
    <h3>{title}</h3>
    {children}
  </section>
)

const LinkToDetail = ({ id, hint }: { readonly id: number; readonly hint?: string }) => {
  const link = linkOf(id)?.value
  if (link === undefined) return null
  return (
    <a
      class="detail-link plain"
      href={`/dashboard?link=${id}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openDetail(id)
      }}
    >
      <LinkIcon link={link} />
      <span dir="auto">{link.title}</span>
      {hint === undefined ? null : <span class="hint">{hint}</span>}
    </a>
  )
}

const Filing = ({ link }: Props) => {
  const { collection, deletedAt, filedBecause, id } = link
  const because = deletedAt === undefined && collection !== null ? (filedBecause ?? []) : []
  useLinks(because.map((one) => one.id))
  const shown =
    collection === null ? (
      <span class="hint">None</span>
    ) : (
      <a class="badge" {...labelLink(currentFilters(), { collection: collection.id })} dir="auto">
        <Icon name="folder" />
        {collection.name}
      </a>
    )
  return (
    <Section title="Collection">
      <div class="row">
        {deletedAt === undefined ? (
          <NameInPlace link={link} kind="collection" button={collection === null ? "File" : "Move"}>
            {shown}
          </NameInPlace>
        ) : (
          shown
        )}
        {because.length === 0 ? null : (
          <Button
            class="link-button"
            title="Take it out, and never file it there again"
            needsService
            onClick={() => void refuseFiling([id])}
          >
            Not here
          </Button>
        )}
      </div>
      {because.length === 0 ? null : (
        <>
          <p class="hint">Filed because it resembles</p>
          <ul>
            {because.map((one) => (
              <li key={one.id}>
                <LinkToDetail id={one.id} hint={`${percent(one.similarity)}% similar`} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

const Similar = ({ link: { id } }: Props) => {
  const similar = known.value?.id === id ? known.value.similar : undefined
  if (similar === undefined || similar.length === 0) return null
  return (
    <Section title="Similar links">
      <ul>
        {similar.map((one) => (
          <li key={one}>
            <LinkToDetail id={one} />
          </li>
        ))}
      </ul>
      <a href={hrefOf({ q: "", like: id })}>Show all</a>
    </Section>
  )
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length

const PageText = ({ link: { id } }: Props) => {
  const text = known.value?.id === id ? (known.value.whole?.text ?? "") : ""
  const [isOpen, setOpen] = useState(false)
  if (text === "") return null
  return (
    <details
      class="fold detail-text"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        Page text <span class="hint">{count(words(text), "word")}</span>
      </summary>
      {isOpen ? <p dir="auto">{text}</p> : null}
    </details>
  )
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" })

const languageOf = (tag: string) => {
  try {
    return languages.of(tag) ?? tag
  } catch {
    // Not a language tag.
    return tag
  }
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })

const momentOf = (iso: string) => <time dateTime={iso}>{moment.format(new Date(iso))}</time>

/** When the snapshots of a page were made, as links to them, newest first; null if there is none. */
const snapshotsOf = (id: number) => {
  const whole = known.value?.id === id ? known.value.whole : undefined
  if (whole?.snapshotAt == null) return null
  const earlier = whole.earlierSnapshots.map(
    ({ savedAt, version }) => [savedAt, `?version=${version}`] as const
  )
  return [[whole.snapshotAt, ""] as const, ...earlier].map(([at, query], index) => (
    <Fragment key={query}>
      {index === 0 ? null : ", "}
      <a href={`/dashboard/read/${id}/snapshot${query}`} target="_blank" rel="noopener noreferrer">
        {momentOf(at)}
      </a>
    </Fragment>
  ))
}

const Facts = ({ link }: Props) => {
  const { author, createdAt, id, language, model, publishedAt, repository, siteName, type, updatedAt } = link
  const { doi, duration, isbn, journal, pages, paywall, pdf, price, score, show, size, version } = link.facts
  const facts: ReadonlyArray<readonly [string, ComponentChildren]> = [
    ["Saved", momentOf(createdAt)],
    ["Changed", momentOf(updatedAt)],
    ["Snapshot", snapshotsOf(id)],
    ["Published", publishedAt === null ? null : <Day of={publishedAt} />],
    ["Site", siteName],
    ["Author", author],
    ["Language", language === null ? null : languageOf(language)],
    ["Kind", type === "page" ? null : type],
    ["Access", paywall ? "Paywall: only subscribers can read all of it" : null],
    ["Length", duration === undefined ? null : durationText(duration)],
    ["Pages", pages?.toLocaleString("en")],
    ["Size", size === undefined ? null : `${size} pixels`],
    ["Price", price],
    ["ISBN", isbn],
    ["Show", show],
    ["Published in", journal],
    ["DOI", doi === undefined ? null : <a {...externalLink(`https://doi.org/${doi}`)}>{doi}</a>],
    ["PDF", pdf === undefined ? null : <a {...externalLink(pdf)}>{pdf}</a>],
    ["Points", score?.toLocaleString("en")],
    ["Version", version],
    ["Summary by", model],
    [
      "Repository",
      repository === null
        ? null
        : [
            repository.fullName,
            repository.language,
            `★ ${repository.stars.toLocaleString("en")}`,
            repository.license
          ]
            .filter((part) => part !== null)
            .join(" · ")
    ],
    ["Number", `#${id}`]
  ]
  return (
    <dl class="detail-facts">
      {facts.map(([name, value]) =>
        value === null || value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        )
      )}
    </dl>
  )
}

const Texts = ({ link }: Props) => {
  const { description, enrichment, id, note, summary } = link
  return (
    <>
      {enrichment === "pending" ? (
        <p class="hint" role="status">
          <span class="spinner" /> Reading the page…
        </p>
      ) : null}
      <TextInPlace link={link} name="summary" label="Summary">
        {summary === "" ? null : (
          <p class="prewrap" dir="auto">
            {summary}
          </p>
        )}
      </TextInPlace>
      {description === "" || description === summary ? null : (
        <blockquote class="detail-description prewrap" dir="auto">
          {description}
        </blockquote>
      )}
      <TextInPlace link={link} name="note" label="Note">
        {note === "" ? null : <Note key={`${id} ${note}`} note={note} />}
      </TextInPlace>
    </>
  )
}

const Labels = ({ link }: Props) => {
  const { category, deletedAt, tags } = link
  const shownTags = tags.map((tag) => (
    <a key={tag} class="badge" {...labelLink(currentFilters(), { tag })} dir="auto">
      #{tag}
    </a>
  ))
  const shownCategory =
    category === UNSORTED ? (
      <span class="hint">None</span>
    ) : (
      <a class="badge" data-kind="category" {...labelLink(currentFilters(), { category })} dir="auto">
        {category}
      </a>
    )
  return (
    <>
      <Section title="Tags">
        <div class="row">
          {deletedAt === undefined ? <TagsInPlace link={link}>{shownTags}</TagsInPlace> : shownTags}
        </div>
      </Section>
      <Section title="Category">
        <div class="row">
          {deletedAt === undefined ? (
            <NameInPlace link={link} kind="category" button="Change">
              {shownCategory}
            </NameInPlace>
          ) : (
            shownCategory
          )}
        </div>
      </Section>
    </>
  )
}

const Actions = ({ link }: Props) => (
  <div class="row">
    <a class="button" data-kind="primary" title="Open (o)" {...externalLink(link.url)}>
      <Icon name="external" />
      Open
    </a>
    {link.kept ? (
      <a class="button" href={readerHref(link.id)} title="Read the kept page (v)">
        <Icon name="read" />
        Read
      </a>
    ) : null}
    <MenuButton link={link} />
  </div>
)

const InTrash = ({ id, deletedAt }: { readonly id: number; readonly deletedAt: string }) => (
  <div class="stack boxed">
    <p>
      In the trash since <Day of={deletedAt} />. It is deleted forever 30 days after that.
    </p>
    <div class="row">
      <Button kind="primary" needsService onClick={() => void restoreLinks([id])}>
        Restore
      </Button>
      <Button needsService onClick={() => open({ kind: "deleteForever", ids: [id] })}>
        Delete forever…
      </Button>
    </div>
  </div>
)

/** Everything that is known about a link, and everything that can be done with it. */
export const DetailContent = ({ link }: Props) => {
  const { createdAt, deletedAt, host, id, image, title, url } = link
  return (
    <article class="detail-content stack" aria-label={title}>
      {deletedAt === undefined ? <Actions link={link} /> : <InTrash id={id} deletedAt={deletedAt} />}
      {image === null ? null : <Preview key={image} host={host} src={`/dashboard/api/links/${id}/image`} />}
      <TextInPlace link={link} name="title" label="Title">
        <h2 dir="auto">{readableTitle(link)}</h2>
      </TextInPlace>
      <p class="card-source">
        <LinkIcon link={link} />
        <span>{readableHost(host)}</span> <Age of={createdAt} />
        {link.favorite ? (
          <span class="card-state" data-kind="favorite">
            <Icon name="star" /> Favorite
          </span>
        ) : null}
        {link.shareable || link.inShared ? (
          <span class="card-state">
            <Icon name="share" /> Shared
          </span>
        ) : null}
      </p>
      <TextInPlace link={link} name="url" label="Address">
        <span class="hint">{readableAddress(url)}</span>
      </TextInPlace>
      {deletedAt === undefined ? <PageState link={link} /> : null}
      {deletedAt === undefined ? <StateButtons {...link} /> : null}
      {link.kept && deletedAt === undefined ? <DetailReader link={link} /> : null}
      <Texts link={link} />
      <Labels link={link} />
      <Filing link={link} />
      {deletedAt === undefined ? <Stages link={link} /> : null}
      {deletedAt === undefined ? <LinkHighlights link={link} /> : null}
      <Similar link={link} />
      <PageText link={link} />
      <Facts link={link} />
      <LinkHistory id={id} />
    </article>
  )
}
