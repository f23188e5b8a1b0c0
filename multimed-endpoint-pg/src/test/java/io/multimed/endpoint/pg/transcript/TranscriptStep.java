package io.multimed.endpoint.pg.transcript;

import java.util.ArrayList;
import java.util.List;

/**
 * One step of a transcript.
 *
 * @param line its number, from 1
 * @param text its line and those that continue it
 */
record TranscriptStep(int line, String text) {
    static List<TranscriptStep> of(String transcript) {
        List<TranscriptStep> steps = new ArrayList<>();
        List<String> lines = transcript.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith(" ") && !steps.isEmpty()) {
                TranscriptStep begun = steps.removeLast();
                steps.add(new TranscriptStep(begun.line, begun.text + " " + line.strip()));
            } else {
                steps.add(new TranscriptStep(i + 1, line));
            }
        }
        return steps;
    }

    /** Whether it only states what the endpoint has sent. */
    boolean isStatement() {
        return text.split(" ", 3)[1].equals("<-") || text.endsWith(" opens");
    }

    /** Returns the messages that are sent or stated. */
    List<String> messages() {
        return List.of(text.split(" (?:->|<-) ", 2)[1].split(" \\| "));
    }
}
