import type { Json } from "../../../domain/Json.ts"
import type { Facts, LinkType } from "../../../domain/Link.ts"
import { MAX_FACT } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { readDuration } from "./Dates.ts"
import type { Graph } from "./JsonLd.ts"

type Known = { readonly [Name in keyof Facts]: Facts[Name] | undefined }

const known = (facts: Known): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

const nameOf = (written: string | undefined): string | undefined => {
  const name = cleanLine(written ?? "", MAX_FACT + 1)
  return name === "" || name.length > MAX_FACT || /^https?:/i.test(name) ? undefined : name
}

/** The DOI in a text (https://www.doi.org/the-identifier/resources/handbook), without the resolver's address. */
const doiOf = (written: string): string | undefined =>
  /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s?|info:doi\/)?(10\.\d{4,9}\/[^\s"<>]{1,180})$/i.exec(
    written.trim().slice(0, 300)
  )?.[1]

const isbnOf = (written: string): string | undefined => {
  const digits = written
    .slice(0, 50)
    .replace(/^(?:urn:)?isbn:?/i, "")
    .replace(/[\s\u2010-\u2015-]/g, "")
  return /^(?:97[89]\d{10}|\d{9}[\dX])$/i.test(digits) ? digits.toUpperCase() : undefined
}

/** A price with its currency (ISO 4217); undefined without either. */
const priceOf = (amount: string | undefined, currency: string | undefined): string | undefined => {
  const code = currency?.trim().toUpperCase() ?? ""
  const number = amount?.trim() ?? ""
  return /^\d{1,12}(?:[.,]\d{1,4})?$/.test(number) && /^[A-Z]{3}$/.test(code)
    ? `${number.replace(",", ".")} ${code}`
    : undefined
}

const countOf = (written: string | undefined): number | undefined =>
  /^\d{1,6}$/.test(written?.trim() ?? "") ? Number(written) : undefined

const firstOf = <A>(values: ReadonlyArray<string>, read: (value: string) => A | undefined): A | undefined =>
  values.map(read).find((one) => one !== undefined)

const isFalse = (value: unknown): boolean =>
  value === false ||
  (typeof value === "string" && /^(?:https?:\/\/schema\.org\/)?false$/i.test(value.trim().slice(0, 40)))

export const factsOfNode = (node: Json, kind: LinkType | null, { nodesIn, textsIn }: Graph): Facts => {
  const isPaper = kind === "paper"
  const isPlayed = kind === "video" || kind === "audio"
  const prices = nodesIn(node["offers"]).flatMap((offer) => [
    offer,
    ...nodesIn(offer["offers"]),
    ...nodesIn(offer["priceSpecification"])
  ])
  const price = prices
    .map((one) => priceOf(textsIn(one["price"] ?? one["lowPrice"])[0], textsIn(one["priceCurrency"])[0]))
    .find((one) => one !== undefined)
  const identifiers = ["doi", "identifier", "sameAs", "@id", "url"].flatMap((name) =>
    textsIn(node[name], "value", "@id")
  )
  // An issue or a volume may lie between an article and its journal.
  const volumes = nodesIn(node["isPartOf"])
  const journals = [
    ...volumes.flatMap((one) => [...nodesIn(one["isPartOf"]), one]),
    ...nodesIn(node["publisher"])
  ]
  return known({
    paywall:
      [node, ...nodesIn(node["hasPart"])].some((one) => isFalse(one["isAccessibleForFree"])) || undefined,
    // An article's is the time that reading takes.
    duration: isPlayed
      ? firstOf([...textsIn(node["duration"]), ...textsIn(node["timeRequired"])], readDuration)
      : undefined,
    pages: countOf(textsIn(node["numberOfPages"])[0]),
    price,
    isbn: firstOf(
      [node, ...nodesIn(node["workExample"])].flatMap((one) => textsIn(one["isbn"])),
      isbnOf
    ),
    doi: isPaper ? firstOf(identifiers, doiOf) : undefined,
    journal: isPaper
      ? firstOf(
          journals.flatMap((one) => textsIn(one["name"])),
          nameOf
        )
      : undefined,
    show: firstOf(
      ["partOfSeries", "partOfTVSeries"].flatMap((name) => textsIn(node[name], "name")),
      nameOf
    ),
    version: nameOf(textsIn(node["softwareVersion"])[0])
  })
}

/** Highwire (https://scholar.google.com/intl/en/scholar/inclusion.html), https://ogp.me; `pdf` is absolute. */
export const factsOfMeta = (all: (name: string) => ReadonlyArray<string>, pdf: string | null): Facts =>
  known({
    paywall: all("article:content_tier")[0]?.toLowerCase() === "locked" || undefined,
    duration: firstOf(
      ["video:duration", "og:video:duration", "music:duration", "duration"].flatMap(all),
      readDuration
    ),
    price: ["product:price", "og:price", "product:sale_price"]
      .map((name) => priceOf(all(`${name}:amount`)[0], all(`${name}:currency`)[0]))
      .find((one) => one !== undefined),
    isbn: firstOf(["book:isbn", "books:isbn", "citation_isbn"].flatMap(all), isbnOf),
    doi: firstOf(
      ["citation_doi", "prism.doi", "dc.identifier", "dc.identifier.doi", "bepress_citation_doi"].flatMap(
        all
      ),
      doiOf
    ),
    journal: firstOf(
      [
        "citation_journal_title",
        "citation_conference_title",
        "citation_conference",
        "prism.publicationname",
        "bepress_citation_journal_title"
      ].flatMap(all),
      nameOf
    ),
    pdf: pdf !== null && pdf.length <= MAX_FACT ? pdf : undefined
  })
