/** @jsxImportSource preact */
import { encode } from "uqr"

interface QrCodeProps {
  /** The text that a camera reads. */
  readonly text: string
  /** What it leads to, for people who cannot see it. */
  readonly label: string
}

/** The dark modules of a row as path commands, each run of them as one rectangle. */
const rowPath = (row: ReadonlyArray<boolean>, y: number): string => {
  const runs: Array<string> = []
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue
    const start = x
    while (row[x + 1] === true) x++
    runs.push(`M${start} ${y}h${x - start + 1}v1h${start - x - 1}z`)
  }
  return runs.join("")
}

/** A QR code (ISO/IEC 18004), always dark on light, because some cameras cannot read an inverted one. */
export const QrCode = ({ label, text }: QrCodeProps) => {
  // Four modules of quiet zone, as the standard requires.
  const { data, size } = encode(text, { border: 4, ecc: "M" })
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="qr-light" d={`M0 0h${size}v${size}H0z`} />
      <path class="qr-dark" d={data.map(rowPath).join("")} />
    </svg>
  )
}
