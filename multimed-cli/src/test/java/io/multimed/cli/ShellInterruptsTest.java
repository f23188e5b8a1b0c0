package io.multimed.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ShellInterruptsTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final PrintStream terminal = new PrintStream(shown, true, StandardCharsets.UTF_8);
    private final ShellInterrupts interrupts = new ShellInterrupts(terminal, terminal);

    private String shown() {
        String text = shown.toString(StandardCharsets.UTF_8);
        shown.reset();
        return text.replace(System.lineSeparator(), "\n");
    }

    @Test
    void theKeyClearsWhatIsTypedWhileAPromptIsShown() {
        interrupts.prompt("db-> ", "db=> ");
        assertTrue(interrupts.pressed());
        assertEquals("db-> \ndb=> ", shown());
        assertTrue(interrupts.read());
        interrupts.prompt("db-> ", "db=> ");
        assertEquals("db-> ", shown());
        assertFalse(interrupts.read());
    }

    @Test
    void theKeyClearsWhatIsTypedAlsoBetweenALineAndTheNextPrompt() {
        interrupts.prompt("db=> ", "db=> ");
        assertFalse(interrupts.read());
        assertTrue(interrupts.pressed());
        interrupts.prompt("db-> ", "db=> ");
        assertEquals("db=> db=> ", shown());
        assertTrue(interrupts.read());
    }

    @Test
    void theKeyEndsTheShellWhileItWaitsForInputThatIsNotTyped() {
        interrupts.reading();
        assertFalse(interrupts.pressed());
    }
}
