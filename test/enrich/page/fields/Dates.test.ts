import { describe, expect, test } from "bun:test"
import {
  dateIndex,
  firstDay,
  monthNumber,
  readDate,
  readDuration
} from "../../../../src/enrich/page/fields/Dates.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

describe("readDate", () => {
  for (const [written, date] of [
    // A moment whose zone is stated.
    ["2026-01-02T03:04:05+01:00", "2026-01-02T02:04:05.000Z"],
    ["2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04Z", "2026-01-02T03:04:00.000Z"],
    ["2026-01-02 03:04:05 -0500", "2026-01-02T08:04:05.000Z"],
    ["2026-01-02T23:30:00-02:00", "2026-01-03T01:30:00.000Z"],
    ["20260102T030405Z", "2026-01-02T03:04:05.000Z"],
    ["Wed, 22 Oct 2021 00:44:09 +0000", "2021-10-22T00:44:09.000Z"],
    ["Mon, Jan 7 2019 15:37:00 EST", "2019-01-07T20:37:00.000Z"],
    ["Wed Jan 06 2021 00:34:00 GMT+0100 (CET)", "2021-01-05T23:34:00.000Z"],
    ["Tue May 24 05:55:00 UTC 2016", "2016-05-24T05:55:00.000Z"],
    ["1462057143", "2016-04-30T22:59:03.000Z"],
    ["1462057143000", "2016-04-30T22:59:03.000Z"],
    // A time without a zone, which is a day.
    ["2026-01-02T23:59:59", "2026-01-02"],
    ["2019-04-28 06:01:07", "2019-04-28"],
    ["Tue May 24 05:55:00 2016", "2016-05-24"],
    ["2016-05-14T16:34+5.30", "2016-05-14"],
    ["April 28, 2019 at 6:01 am Updated April 29, 2019", "2019-04-28"],
    // Days.
    ["2019-04-28", "2019-04-28"],
    ["2019/4/8", "2019-04-08"],
    ["2019.04.28", "2019-04-28"],
    ["20190428", "2019-04-28"],
    ["April 28, 2019", "2019-04-28"],
    ["Apr. 28 2019", "2019-04-28"],
    ["Published on Sunday, May 8th, 2016", "2016-05-08"],
    ["28 Apr 2019", "2019-04-28"],
    ["28-Apr-2019", "2019-04-28"],
    ["28. April 2019", "2019-04-28"],
    ["17:00, 24 December 2015", "2015-12-24"],
    ["2012 Nov 26", "2012-11-26"],
    ["28.04.2019", "2019-04-28"],
    ["3. März 2020", "2020-03-03"],
    ["3 août 2020", "2020-08-03"],
    ["3 de mayo de 2020", "2020-05-03"],
    ["1er février 2020", "2020-02-01"],
    ["12 января 2020", "2020-01-12"],
    ["2019年4月28日", "2019-04-28"],
    ["04/28/2019", "2019-04-28"],
    ["28/04/2019", "2019-04-28"],
    ["2020-02-29", "2020-02-29"],
    // No date, or none that can be.
    ["", null],
    ["yesterday", null],
    ["12:55 AM", null],
    ["2019", null],
    ["2021-02-29", null],
    ["2019-13-01", null],
    ["0001-01-01T00:00:00Z", null],
    ["1900-01-01", null],
    ["2200-01-01", null],
    ["1970-01-01T00:00:00Z", null],
    ["P24M,37S", null],
    ["123-45-6789", null],
    ["1.2.3", null],
    ["Mayhem 12, 20199", null]
  ] as const)
    test(`reads ${JSON.stringify(written)} as ${date}`, () => expect(readDate(written)).toBe(date))

  test("reads numbers in the order of the page's language", () => {
    expect(readDate("05/08/2014")).toBe("2014-05-08")
    expect(readDate("05/08/2014", true)).toBe("2014-08-05")
    expect(readDate("05/28/2014", true)).toBe("2014-05-28")
  })

  test("does not depend on the server's zone", () => {
    const before = process.env["TZ"]
    try {
      for (const zone of ["Pacific/Auckland", "America/Los_Angeles", "UTC"]) {
        process.env["TZ"] = zone
        expect(readDate("2026-01-02T23:59:59")).toBe("2026-01-02")
        expect(readDate("April 28, 2019")).toBe("2019-04-28")
        expect(readDate("Mon, Jan 7 2019 15:37:00 EST")).toBe("2019-01-07T20:37:00.000Z")
      }
    } finally {
      if (before === undefined) delete process.env["TZ"]
      else process.env["TZ"] = before
    }
  })

  test("takes linear time for any text", () => {
    const begun = cpuTime()
    for (const piece of ["1", "12 ", "a", "May ", "2019-", "12.", " ", "年", "1/", ":", "1 d'"]) {
      readDate(piece.repeat(1_000_000 / piece.length))
      readDate(`${piece.repeat(60)}x`)
      readDuration(piece.repeat(100_000))
      dateIndex(piece.repeat(100_000))
    }
    expect(cpuTime() - begun).toBeLessThan(3_000)
  })
})

test("dateIndex finds where a date begins", () => {
  expect(dateIndex("Ann Lee May 4, 2020")).toBe(8)
  expect(dateIndex("Ann Lee")).toBe(-1)
})

describe("readDuration", () => {
  for (const [written, seconds] of [
    ["PT1H2M3S", 3_723],
    ["PT24M37S", 1_477],
    ["P0DT0H10M0S", 600],
    ["pt90s", 90],
    ["PT0.5M", undefined],
    ["PT12.7S", 12],
    ["P1D", 86_400],
    ["157", 157],
    ["879.4", 879],
    ["P24M,37S", undefined],
    ["12:30", undefined],
    ["-5", undefined],
    ["", undefined]
  ] as const)
    test(`reads ${JSON.stringify(written)} as ${seconds}`, () => expect(readDuration(written)).toBe(seconds))
})

describe("firstDay", () => {
  for (const [parts, day] of [
    [[2024, 2, 29], "2024-02-29"],
    [[2024, 5], "2024-05-01"],
    [[2011], "2011-01-01"],
    [[1901, 1, 1], "1901-01-01"],
    [[1900, 12, 31], undefined],
    [[99, 1, 1], undefined],
    [[2023, 2, 29], undefined],
    [[2023, 13], undefined],
    [[2023, 0], undefined],
    [[1e300, 1, 1], undefined],
    [[Number.NaN], undefined],
    [[2023.5], undefined]
  ] as const)
    test(`of ${parts.join("-")} is ${day}`, () => expect(firstDay(parts[0], ...parts.slice(1))).toBe(day))
})

test("monthNumber knows names, beginnings of names and digits", () => {
  expect(["Mar", "september", "12", "07", "Spring", "x", ""].map(monthNumber)).toEqual([
    3,
    9,
    12,
    7,
    undefined,
    undefined,
    undefined
  ])
})
