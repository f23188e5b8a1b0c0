package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.server.lean.LeanAnswer;
import io.multimed.server.lean.LeanRow;
import io.multimed.server.lean.LeanRow.Advice;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeanTableTest {
    private static final List<LeanRow> ROWS = List.of(
            new LeanRow(Advice.STAYS, "primary key", "db", "s.line", "line_pkey", 2_400_000, 7, 50, List.of("part")),
            new LeanRow(Advice.MOVE, "", "db", "s.line", "line_item", 9_000, 0, 50, List.of("part", "other")),
            new LeanRow(Advice.MOVED, "", "db", "s.line", "line_note", 0, 0, 0, List.of("part")),
            new LeanRow(
                    Advice.NOWHERE,
                    "no partial satellite carries the table",
                    "db",
                    "s.event",
                    "event_at",
                    8_192,
                    0,
                    3,
                    List.of()));

    @Test
    void showsWhatCanBeDoneAndWhatItSaves() {
        assertEquals("""
                TABLE        INDEX      SIZE  SCANS ON MASTER  ADVICE                                         SATELLITES
                db: s.line   line_pkey  2 MB  7                stays: primary key                             part
                db: s.line   line_item  8 kB  0                move                                           part, other
                db: s.line   line_note  -     -                moved                                          part
                db: s.event  event_at   8 kB  0                stays: no partial satellite carries the table  -

                db: s.line: a row that is written changes 2 indexes on the master, 1 after --apply; rows written so far: 50
                db: s.event: to have a partial satellite carry it, write [satellites.NAME] tables = ["s.event"] into the \
                configuration""", LeanTable.of(ROWS));
    }

    @Test
    void anAnswerIsReadAsItWasWritten() {
        LeanAnswer answer = new LeanAnswer(ROWS, List.of("a \"b\"\nc"), "d");
        assertEquals(answer, LeanAnswer.read(answer.written()));
        assertEquals(1, answer.written().lines().count());
    }
}
