package io.multimed.testkit.conversation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.testkit.wire.FrontendBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptTest {
    private static final String TEXT = """
            # A comment.

            session one

            ask one
              Query SELECT 1,
                2
              Sync
            ----
            ReadyForQuery I
            ---- multimed: a reason
            ReadyForQuery T

            # Between.
            until one ReadyForQuery 2
            """;

    @Test
    void readsStepsWithTheirMessagesAndAnswers() {
        Script script = Script.parse("name", TEXT);
        assertEquals(3, script.steps().size());
        Step ask = script.steps().get(1);
        assertEquals("ask", ask.verb());
        assertEquals("one", ask.session());
        assertEquals(List.of("Query SELECT 1,\n2", "Sync"), ask.messages());
        assertEquals(List.of("ReadyForQuery I"), ask.answer());
        assertEquals(List.of("ReadyForQuery T"), ask.otherwise());
        assertNull(script.steps().get(2).otherwise());
        assertEquals(5, ask.line());
        assertEquals("ReadyForQuery 2", script.steps().get(2).arguments());
    }

    @Test
    void isWrittenBackUnchangedWithItsOwnAnswers() {
        Script script = Script.parse("name", TEXT);
        assertEquals(
                TEXT, script.recorded(script.steps().stream().map(Step::answer).toList()));
    }

    @Test
    void recordsOtherAnswersAndKeepsTheRest() {
        Script script = Script.parse("name", TEXT);
        String recorded = script.recorded(List.of(List.of(), List.of(), List.of("ReadyForQuery T")));
        assertEquals(TEXT.replace("----\nReadyForQuery I\n", "") + "----\nReadyForQuery T\n", recorded);
    }

    @Test
    void namesTheStepWhoseAnswerDiffers() {
        Script script = Script.parse("name", TEXT);
        List<List<String>> answers = List.of(List.of(), List.of("ReadyForQuery E"), List.of());
        String differences = new Transcript(answers, answers).differencesFrom(script);
        assertEquals("""
                name:5: ask one
                    Query SELECT 1,
                2
                    Sync
                  recorded: ReadyForQuery I
                  answered: ReadyForQuery E""", differences);
    }

    @Test
    void multimedMayAnswerAsTheScriptSaysOfIt() {
        Script script = Script.parse("name", TEXT);
        List<List<String>> postgresql = List.of(List.of(), List.of("ReadyForQuery I"), List.of("x"));
        List<List<String>> multimed = List.of(List.of(), List.of("ReadyForQuery T"), List.of("x"));
        Transcript direct = new Transcript(postgresql, postgresql);
        assertEquals("", new Transcript(multimed, multimed).differencesFrom(script, direct));
        assertEquals("", direct.differencesFrom(script, direct));
        List<List<String>> neither = List.of(List.of(), List.of("ReadyForQuery E"), List.of("x"));
        assertNotEquals("", new Transcript(neither, neither).differencesFrom(script, direct));
    }

    @Test
    void errorsOfPostgresqlArriveWhole() {
        Script script = Script.parse("name", "ask one\n  Sync\n");
        List<List<String>> whole = List.of(List.of("ErrorResponse S='ERROR' V='ERROR' C='X' F='f.c' L='1' R='r'"));
        List<List<String>> own = List.of(List.of("ErrorResponse S='ERROR' V='ERROR' C='X'"));
        List<List<String>> other = List.of(List.of("ErrorResponse S='ERROR' V='ERROR' C='X' F='f.c' L='2' R='r'"));
        Transcript direct = new Transcript(whole, whole);
        assertEquals("", new Transcript(own, own).differencesFrom(script, direct));
        assertNotEquals("", new Transcript(other, other).differencesFrom(script, direct));
    }

    @Test
    void refusesAMessageWithoutAStep() {
        assertThrows(IllegalArgumentException.class, () -> Script.parse("name", "  Query SELECT 1"));
    }

    @Test
    void readsValuesAsTextBytesAndNull() {
        assertArrayEquals(
                FrontendBytes.bind("", "s", List.of(0, 1), new byte[][] {{'a', '\n'}, null, {0, -1}}, List.of(1)),
                MessageSyntax.bytes("Bind - s 'a\\n' NULL x'00ff' formats=0,1 results=1"));
        assertArrayEquals(
                FrontendBytes.parse("s", "SELECT $1", 23, 25), MessageSyntax.bytes("Parse s types=23,25 SELECT $1"));
        assertArrayEquals(FrontendBytes.query(""), MessageSyntax.bytes("Query "));
    }

    @Test
    void refusesWhatItDoesNotUnderstand() {
        assertThrows(IllegalArgumentException.class, () -> MessageSyntax.bytes("Querry SELECT 1"));
        assertThrows(IllegalArgumentException.class, () -> MessageSyntax.bytes("Sync now"));
        assertThrows(IllegalArgumentException.class, () -> MessageSyntax.bytes("Bind - s text"));
        assertThrows(IllegalArgumentException.class, () -> MessageSyntax.bytes("CopyData 'open"));
    }
}
