/** @jsxImportSource preact */
import { dayText } from "../../../src/shared/Format.ts"
import { ageOf, timeOf } from "../age.ts"

interface Props {
  /** An ISO 8601 time. */
  readonly of: string
}

/** How long ago something was; the pointer sees when. */
export const Age = ({ of }: Props) => (
  <time dateTime={of} title={timeOf(of)}>
    {ageOf(of)}
  </time>
)

export const Day = ({ of }: Props) => <time dateTime={of}>{dayText(of)}</time>
