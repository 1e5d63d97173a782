/**
 * Measures what the built-in embedder cannot do: questions of the labelled set (`test/bench/finding/written.jsonl`) in
 * German, beside the same questions in English. Prints the shares answered first and within the first ten, by meaning
 * alone.
 * `bun test/bench/embedding/languages.ts`
 */
import { embeddingText } from "../../../src/domain/Enrichment.ts"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { knownLinks } from "../finding/links.ts"
import { queries } from "../finding/queries.ts"
import { cosine } from "./Cosine.ts"
import { shown } from "./Report.ts"

/** The beginnings of questions in English, and the whole questions in German. */
const german: ReadonlyArray<readonly [string, string]> = [
  ["how do I validate configuration files", "wie prüfe ich Konfigurationsdateien auf jedem System?"],
  ["is there a load balancer", "gibt es einen Lastverteiler mit kostenlosen Stunden und Datenverarbeitung?"],
  ["where do I find text mode fonts", "wo finde ich Schriften für den Textmodus alter Rechner?"],
  ["how do I recover data from", "wie rette ich Daten von einer beschädigten oder formatierten Festplatte?"],
  ["how can developers make transactions", "wie machen Entwickler Zahlungen klimaneutral?"],
  ["how do I sync games", "wie gleiche ich Spiele und Spielstände zwischen Geräten ab?"],
  [
    "how do I explore and document",
    "wie erkunde und beschreibe ich ein großes, unübersichtliches Datenbankschema?"
  ],
  ["how do I generate fake data", "wie erzeuge ich erfundene Daten in Python?"],
  ["how do I run web apps", "wie führe ich Webanwendungen mit der Browserkomponente des Systems aus?"],
  ["how does contact tracing", "wie funktioniert die Nachverfolgung von Kontakten?"],
  ["where can I write and run C code", "wo kann ich C-Programme im Netz schreiben und ausführen?"],
  ["how do I convert audio files", "wie wandle ich Tondateien auf der Befehlszeile um?"],
  ["is there an online sheet music", "gibt es einen Noteneditor im Netz auf Grundlage von LilyPond?"],
  [
    "which malloc avoids",
    "welche Speicherverwaltung vermeidet Zerstückelung und skaliert bei Nebenläufigkeit?"
  ],
  ["how do I dry food", "wie trockne ich Lebensmittel in der Sonne, um sie haltbar zu machen?"],
  ["which HTTP router for Go", "welcher erweiterbare HTTP-Router für Go belegt keinen Speicher?"]
]

const DEEPEST = 10
const links = knownLinks().map((link) => ({
  url: link.url,
  vector: builtIn.embed(embeddingText({ ...link, summary: "", note: "" }))
}))

const placeOf = (query: string, expected: ReadonlyArray<string>): number => {
  const vector = builtIn.embedQuery(query)
  const scored = links.map((link) => ({ url: link.url, score: cosine(vector, link.vector) }))
  const best = Math.max(...scored.filter(({ url }) => expected.includes(url)).map(({ score }) => score))
  return scored.filter(({ score }) => score > best).length
}

const asked = german.flatMap(([start, text]) =>
  queries()
    .filter(({ query }) => query.startsWith(start))
    .slice(0, 1)
    .map(({ expected, query }) => ({ English: placeOf(query, expected), German: placeOf(text, expected) }))
)

for (const language of ["English", "German"] as const) {
  const places = asked.map((one) => one[language])
  const share = (below: number) => shown(places.filter((place) => place < below).length / places.length)
  console.log(`${language}: ${places.length} questions, first ${share(1)}, within ten ${share(DEEPEST)}`)
}
