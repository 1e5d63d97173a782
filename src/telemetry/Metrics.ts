import { Effect, Metric, MetricBoundaries, MetricLabel } from "effect"

/** What a user must know about a metric; the documentation and the page for Prometheus show exactly this. */
export interface MetricDeclaration {
  /** Begins with `linkbower_` and names the unit; counters end in `_total` (Prometheus, "Metric and label naming"). */
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  /** Each label has few values, all known to the program: no text from a request or a page becomes a label value. */
  readonly labels: ReadonlyArray<string>
  readonly meaning: string
  /** Creates the series of a metric without labels, so that it exists before the first event. */
  readonly register: () => void
}

/** A value for each label, in the order of declaration. */
type Values<L extends ReadonlyArray<string>> = { readonly [K in keyof L]: string }

interface Counter<L extends ReadonlyArray<string>> extends MetricDeclaration {
  readonly count: (...values: Values<L>) => Effect.Effect<void>
  readonly countBy: (many: number, ...values: Values<L>) => Effect.Effect<void>
  /** Counts one event synchronously, for hot paths where an effect would cost as much as the work itself. */
  readonly unsafeCount: (...values: Values<L>) => void
}

interface Gauge<L extends ReadonlyArray<string>> extends MetricDeclaration {
  readonly set: (value: number, ...values: Values<L>) => Effect.Effect<void>
}

/** Records durations in a histogram, in seconds. */
interface Timing<L extends ReadonlyArray<string>> extends MetricDeclaration {
  /** Runs the effect and records its duration, however it ends. */
  readonly timed: (
    ...values: Values<L>
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly unsafeRecord: (seconds: number, ...values: Values<L>) => void
}

type Traits<L extends ReadonlyArray<string>> = { readonly labels: L; readonly meaning: string }

/** Returns the labels of a series: the same array for the same values, because the registry finds the series by it. */
const seriesOf = (labels: ReadonlyArray<string>) => {
  const known = new Map<string, ReadonlyArray<MetricLabel.MetricLabel>>()
  const none: ReadonlyArray<MetricLabel.MetricLabel> = []
  return (values: ReadonlyArray<string>) => {
    if (labels.length === 0) return none
    const key = values.join("\n")
    const found = known.get(key)
    if (found !== undefined) return found
    const made = labels.map((label, index) => MetricLabel.make(label, values[index] ?? ""))
    known.set(key, made)
    return made
  }
}

const counter = <const L extends ReadonlyArray<string>>(name: string, traits: Traits<L>): Counter<L> => {
  const metric = Metric.counter(name, { description: traits.meaning, incremental: true })
  const series = seriesOf(traits.labels)
  return {
    name,
    kind: "counter",
    ...traits,
    register: () => (traits.labels.length === 0 ? void metric.unsafeValue([]) : undefined),
    count: (...values) => Effect.sync(() => metric.unsafeUpdate(1, series(values))),
    countBy: (many, ...values) => Effect.sync(() => metric.unsafeUpdate(many, series(values))),
    unsafeCount: (...values) => metric.unsafeUpdate(1, series(values))
  }
}

const gauge = <const L extends ReadonlyArray<string>>(name: string, traits: Traits<L>): Gauge<L> => {
  const metric = Metric.gauge(name, { description: traits.meaning })
  const series = seriesOf(traits.labels)
  return {
    name,
    kind: "gauge",
    ...traits,
    // A gauge that was never set has no value, which is not the same as zero.
    register: () => {},
    set: (value, ...values) => Effect.sync(() => metric.unsafeUpdate(value, series(values)))
  }
}

const timing = <const L extends ReadonlyArray<string>>(
  name: string,
  { bounds, ...traits }: Traits<L> & { readonly bounds: ReadonlyArray<number> }
): Timing<L> => {
  const metric = Metric.histogram(name, MetricBoundaries.fromIterable(bounds), traits.meaning)
  const series = seriesOf(traits.labels)
  const unsafeRecord = (seconds: number, ...values: Values<L>) => metric.unsafeUpdate(seconds, series(values))
  return {
    name,
    kind: "histogram",
    ...traits,
    register: () => (traits.labels.length === 0 ? void metric.unsafeValue([]) : undefined),
    unsafeRecord,
    timed:
      (...values) =>
      (effect) =>
        Effect.suspend(() => {
          const start = performance.now()
          return Effect.ensuring(
            effect,
            Effect.sync(() => unsafeRecord((performance.now() - start) / 1000, ...values))
          )
        })
  }
}

/** Histogram bounds in seconds, for work inside the service and for calls to other servers. */
const INSIDE = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const OUTSIDE = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]

/** Every metric, declared once. */
export const Measure = {
  linksSaved: counter("linkbower_links_saved_total", {
    labels: ["source"],
    meaning: "Links added to the library, by source: chat, capture or import."
  }),
  captures: counter("linkbower_captures_total", {
    labels: ["outcome"],
    meaning: "Captures received, by outcome: saved while the browser waited, or accepted to be saved later."
  }),
  fallbacks: counter("linkbower_enrichment_fallbacks_total", {
    labels: ["source"],
    meaning: "Links enriched without a source because it failed, by source."
  }),
  fetches: counter("linkbower_fetches_total", {
    labels: ["outcome"],
    meaning: "Fetches of pages and pictures, by outcome: read, or why they failed."
  }),
  fetchDuration: timing("linkbower_fetch_duration_seconds", {
    labels: [],
    bounds: OUTSIDE,
    meaning: "Duration of fetches, including the wait for their turn."
  }),
  readerFailures: counter("linkbower_reader_failures_total", {
    labels: ["what", "reason"],
    meaning:
      "Pages, pages that a browser sent, answers of sites and pictures whose reading process failed, by what it read and why: deadline, memory, exited, not-started, failed, reply, or article (an unsafe article, which was dropped alone)."
  }),
  pagesKept: counter("linkbower_pages_kept_total", {
    labels: ["outcome"],
    meaning:
      "Articles that were to be kept, by outcome: new, same, restructured (the same text in other HTML), changed, or unclean (not stored)."
  }),
  linkLooks: counter("linkbower_link_looks_total", {
    labels: ["outcome"],
    meaning:
      "Looks at the pages behind links, by outcome: present, moved, changed, failed, refused, or offline (our own network seems to be down)."
  }),
  archiveRequests: counter("linkbower_archive_requests_total", {
    labels: ["outcome"],
    meaning:
      "Requests to the web archive, by outcome: found or none (asked for a copy), failed, submitted, or refused (a submission)."
  }),
  siteAnswers: counter("linkbower_site_answers_total", {
    labels: ["site", "outcome"],
    meaning:
      "Requests to sites with rules of their own, by site and outcome: ok, none (an unusable answer) or failed."
  }),
  images: counter("linkbower_images_total", {
    labels: ["outcome"],
    meaning: "Lookups of pictures of pages, by outcome: shown, or why not."
  }),
  repositoryCalls: counter("linkbower_repository_calls_total", {
    labels: ["kind", "outcome"],
    meaning: "Calls to repository hosts, by kind of host and outcome: ok, none or failed."
  }),
  modelCalls: counter("linkbower_model_calls_total", {
    labels: ["outcome"],
    meaning: "Calls to the language model, by outcome: ok, or why there was no usable answer."
  }),
  modelCallDuration: timing("linkbower_model_call_duration_seconds", {
    labels: [],
    bounds: OUTSIDE,
    meaning: "Duration of calls to the language model, including retries."
  }),
  modelTokens: counter("linkbower_model_tokens_total", {
    labels: ["kind"],
    meaning: "Tokens billed by the language model, by kind: input or output."
  }),
  embeddingFailures: counter("linkbower_embedding_failures_total", {
    labels: ["purpose"],
    meaning: "Failed calls to the embeddings endpoint, by purpose: search, save or queue."
  }),
  circuitOpen: gauge("linkbower_circuit_open", {
    labels: ["circuit"],
    meaning: "1 while calls to an outside service are paused after consecutive failures, otherwise 0."
  }),
  chatCalls: counter("linkbower_chat_calls_total", {
    labels: ["method", "outcome"],
    meaning:
      "Calls to the chat platform, by method and outcome: ok, rejected, rate-limited, unavailable or defect."
  }),
  chatUpdates: counter("linkbower_chat_updates_total", {
    labels: ["way"],
    meaning: "Updates of the owner's chat stored, by the way they came: webhook or polling."
  }),
  pollingErrors: counter("linkbower_polling_errors_total", {
    labels: ["reason"],
    meaning:
      "Attempts to fetch updates that failed, by reason: conflict (a webhook, or another program that fetches them), rejected, rate-limited, unavailable, defect or storage."
  }),
  chatCallsLeftOut: counter("linkbower_chat_calls_left_out_total", {
    labels: [],
    meaning: "Calls to the chat platform that were skipped to stay within its limits."
  }),
  outboxWaiting: gauge("linkbower_outbox_waiting", { labels: [], meaning: "Replies waiting to be sent." }),
  inboxWaiting: gauge("linkbower_inbox_waiting", {
    labels: [],
    meaning: "Messages and captures stored but not processed yet."
  }),
  inboxFailures: counter("linkbower_inbox_failures_total", {
    labels: [],
    meaning: "Failed attempts to process a message or capture."
  }),
  inboxGivenUp: counter("linkbower_inbox_given_up_total", {
    labels: [],
    meaning: "Messages and captures that failed repeatedly and are no longer retried."
  }),
  searches: counter("linkbower_searches_total", {
    labels: ["audience"],
    meaning: "Searches sorted by relevance, by audience: owner or public."
  }),
  searchDuration: timing("linkbower_search_duration_seconds", {
    labels: [],
    bounds: INSIDE,
    meaning: "Duration of searches sorted by relevance."
  }),
  httpRequests: counter("linkbower_http_requests_total", {
    labels: ["method", "route", "status"],
    meaning: "HTTP responses, by method, route pattern and status."
  }),
  httpRequestDuration: timing("linkbower_http_request_duration_seconds", {
    labels: ["method", "route"],
    bounds: INSIDE,
    meaning: "Time from a request until its response begins."
  }),
  gateRefusals: counter("linkbower_gate_refusals_total", {
    labels: ["gate"],
    meaning:
      "Requests and updates rejected, by gate: webhook, chat, extension, dashboard, program, or same-site for requests caused by another site."
  }),
  jobs: counter("linkbower_jobs_total", {
    labels: ["kind", "outcome"],
    meaning: "Jobs that ended, by kind and outcome: done, failed or interrupted."
  }),
  links: gauge("linkbower_links", { labels: [], meaning: "Links in the library." }),
  databaseSize: gauge("linkbower_database_size_bytes", {
    labels: [],
    meaning: "Size of the database in bytes, without its write-ahead log."
  }),
  residentMemory: gauge("linkbower_process_resident_memory_bytes", {
    labels: [],
    meaning: "Resident memory of the process, in bytes."
  }),
  uptime: gauge("linkbower_uptime_seconds", {
    labels: [],
    meaning: "Time since the process started, in seconds."
  }),
  buildInfo: gauge("linkbower_build_info", {
    labels: ["version"],
    meaning: "Always 1; the label is the running version."
  }),
  eventLoopLag: timing("linkbower_event_loop_lag_seconds", {
    labels: [],
    bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    meaning: "Delay of a timer on the event loop, measured twice a second."
  }),
  eventLoopLongestDelay: gauge("linkbower_event_loop_longest_delay_seconds", {
    labels: [],
    meaning:
      "Longest time that the event loop was blocked since the last scrape, measured from the first scrape on."
  }),
  telemetryDropped: counter("linkbower_telemetry_dropped_total", {
    labels: ["signal"],
    meaning:
      "Log records, spans and metric snapshots not accepted by the collector, by signal: logs, traces or metrics."
  })
} as const

/** The same metrics as a list, in the order in which to show them. */
export const allMetrics: ReadonlyArray<MetricDeclaration> = Object.values(Measure)
