import { widthOf } from "../runtime/Terminal.ts"
import { count, grouped, sizeText } from "../shared/Format.ts"

/** How far a command has come; without a total only the time that it has taken so far is shown. */
export interface Step {
  readonly done: number
  readonly total: number | undefined
}

export type Unit = "link" | "file" | "byte"

/** Interval between two states of the line on a terminal, in milliseconds. */
export const REDRAW = 100
/** Interval between two lines of progress in a file or a pipe, in milliseconds; the first comes after as long. */
export const INTERVAL = 5_000

/** Time over which the rate is measured, in milliseconds, and the least after which it is shown. */
const WINDOW = 10_000
const SETTLED = 1_000

const MIN_BAR = 10
const MAX_BAR = 24

/** A duration given in milliseconds as a person says it, such as `1 h 5 min`. */
const roughly = (milliseconds: number): string => {
  const all = Math.ceil(milliseconds / 1000)
  if (all < 60) return `${all} s`
  const minutes = Math.round(all / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const number = (unit: Unit, value: number) => (unit === "byte" ? sizeText(value) : grouped(value))

const counted = (unit: Unit, { done, total }: Step) =>
  total === undefined
    ? undefined
    : `${number(unit, done).padStart(number(unit, total).length)} of ${unit === "byte" ? sizeText(total) : count(total, unit)}`

/** The share that is done, from 0 to 1. */
const shareOf = ({ done, total }: Step) => (total ? Math.min(1, Math.max(0, done / total)) : 0)

/** Measures how fast the work goes, over the last ten seconds. */
export const makeSpeed = () => {
  const marks: Array<{ readonly at: number; readonly done: number }> = []
  /** Units per second at `now`, in milliseconds; undefined until it is known. */
  return (done: number, now: number): number | undefined => {
    const last = marks.at(-1)
    if (last === undefined || now - last.at >= WINDOW / 40) marks.push({ at: now, done })
    while ((marks[1]?.at ?? now) < now - WINDOW) marks.shift()
    const [first] = marks
    if (first === undefined || now - first.at < SETTLED || done <= first.done) return undefined
    return ((done - first.done) / (now - first.at)) * 1000
  }
}

export interface Facts {
  readonly label: string
  readonly unit: Unit
  readonly step: Step
  /** Units per second, once known. */
  readonly speed: number | undefined
  /** Time since the start, in milliseconds. */
  readonly elapsed: number
}

/** The parts after the percentage, from the widest terminals to the narrowest. */
const tails = [["numbers", "rate", "left"], ["numbers", "left"], ["left"], []] as const

const bar = (share: number, width: number, isUnicode: boolean) => {
  const full = Math.round(share * width)
  const [done, open] = isUnicode ? ["█", "░"] : ["#", "."]
  return (done ?? "").repeat(full) + (open ?? "").repeat(width - full)
}

const leftOf = ({ speed, step: { done, total } }: Facts) =>
  speed === undefined || total === undefined ? undefined : `${roughly(((total - done) / speed) * 1000)} left`

const rateOf = ({ speed, unit }: Facts) =>
  speed === undefined ? undefined : `${number(unit, Math.round(speed))}/s`

/** Shorter than `columns`. Where it does not fit, the rate goes first, then the numbers, then the bar. */
export const progressLine = (facts: Facts, columns: number, isUnicode: boolean): string => {
  const { elapsed, label, step, unit } = facts
  if (step.total === undefined) return `${label}, ${roughly(elapsed)} so far`.slice(0, columns - 1)
  const share = shareOf(step)
  const percent = `${Math.floor(share * 100)}%`.padStart(4)
  const [numbers, rate, left] = [counted(unit, step), rateOf(facts), leftOf(facts)]
  // Padded to their usual widths, so that the bar does not change its own.
  const columnsFor = { numbers: numbers ?? "", rate: (rate ?? "").padStart(8), left: (left ?? "").padEnd(11) }
  for (const tail of tails) {
    const rest = [percent, ...tail.map((part) => columnsFor[part])].join("  ")
    const room = columns - 1 - widthOf(label) - widthOf(rest) - 4
    if (room >= MIN_BAR)
      return `${label}  ${bar(share, Math.min(room, MAX_BAR), isUnicode)}  ${rest}`.trimEnd()
  }
  return `${label} ${percent.trim()}`.slice(0, Math.max(0, columns - 1))
}

/** The same as a line of a log. */
export const progressSentence = (facts: Facts): string => {
  const { elapsed, label, step, unit } = facts
  const numbers = counted(unit, step)?.trimStart()
  if (numbers === undefined) return `${label}: ${roughly(elapsed)} so far`
  const left = leftOf(facts)
  return `${label}: ${numbers} (${Math.floor(shareOf(step) * 100)}%)${left === undefined ? "" : `, ${left}`}`
}
