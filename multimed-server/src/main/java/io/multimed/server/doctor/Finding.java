package io.multimed.server.doctor;

import java.util.Optional;

/**
 * One result of an examination.
 *
 * @param subject a few words
 * @param text one sentence, or a value
 * @param remedy a command or a change of the configuration that mends it
 */
public record Finding(Grade grade, String subject, String text, Optional<String> remedy) {
    /** The weight of a finding. */
    public enum Grade {
        OK,
        /** Multimed runs, but less well than it could. */
        WARNING,
        /** Multimed does not start, or fails under load. */
        PROBLEM
    }

    static Finding ok(String subject, String text) {
        return new Finding(Grade.OK, subject, text, Optional.empty());
    }

    static Finding warning(String subject, String text, String remedy) {
        return new Finding(Grade.WARNING, subject, text, Optional.of(remedy));
    }

    static Finding problem(String subject, String text, String remedy) {
        return new Finding(Grade.PROBLEM, subject, text, Optional.of(remedy));
    }
}
