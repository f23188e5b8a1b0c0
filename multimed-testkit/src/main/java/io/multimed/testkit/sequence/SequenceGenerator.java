package io.multimed.testkit.sequence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Makes the sequence of a seed: mostly messages that a client would send, with names that are taken or missing, messages left
 * out or doubled, and Sync, Flush and pauses anywhere.
 */
public final class SequenceGenerator {
    private static final List<String> STATEMENT_NAMES = List.of("-", "-", "s1", "s1", "s2");
    private static final List<String> PORTAL_NAMES = List.of("-", "-", "-", "c1", "c2");

    private final Random random;
    private final List<String> statements = new ArrayList<>();
    private final List<String> reads = new ArrayList<>();
    private final Map<String, String> prepared = new HashMap<>();
    private final boolean copies;
    private final List<List<String>> bursts = new ArrayList<>();
    private List<String> burst = new ArrayList<>();

    private SequenceGenerator(long seed) {
        random = new Random(seed);
        Set<Theme> themes = EnumSet.of(Theme.READS);
        Theme[] all = Theme.values();
        for (int i = 0; i < 3; i++) {
            themes.add(all[random.nextInt(all.length)]);
        }
        copies = themes.contains(Theme.COPIES);
        for (Theme theme : themes) {
            List<String> some = new ArrayList<>(theme.statements());
            Collections.shuffle(some, random);
            boolean areReads = theme == Theme.READS;
            (areReads ? reads : statements).addAll(some.subList(0, Math.min(some.size(), areReads ? 3 : 6)));
        }
    }

    /** Returns the sequence of this seed, always the same. */
    public static MessageSequence of(long seed) {
        return new SequenceGenerator(seed).generate();
    }

    private MessageSequence generate() {
        int parts = 2 + random.nextInt(9);
        for (int i = 0; i < parts; i++) {
            part();
            if (chance(12)) {
                pause();
            }
        }
        pause();
        return new MessageSequence(bursts);
    }

    private void part() {
        int kind = random.nextInt(100);
        if (kind < 25) {
            send("Query " + query());
            maybePause(50);
        } else if (kind < 70) {
            execution();
        } else if (kind < 80) {
            single();
        } else if (kind < 88) {
            sync();
        } else if (kind < 93) {
            send("Flush");
            maybePause(60);
        } else if (kind < 97 || copies) {
            copyMessages();
        } else {
            send(chance(50) ? "FunctionCall 177 '1' '2'" : "FunctionCall 1 '1'");
            maybePause(50);
        }
        if (copies && (kind < 70 || chance(40))) {
            copyMessages();
        }
    }

    private String query() {
        StringBuilder text = new StringBuilder(statement());
        while (chance(15)) {
            text.append("; ").append(statement());
        }
        return text.toString();
    }

    /** Sends Parse, Bind, Describe, Execute and the message that ends them, each left out at times. */
    private void execution() {
        String statement = pick(STATEMENT_NAMES);
        String portal = pick(PORTAL_NAMES);
        if (chance(75)) {
            parse(statement);
        }
        if (chance(10)) {
            send("Describe S " + statement);
        }
        if (chance(90)) {
            bind(portal, statement);
        }
        if (chance(35)) {
            send("Describe P " + portal);
        }
        if (chance(90)) {
            send("Execute " + portal + " " + rows());
        }
        if (chance(8)) {
            send("Execute " + portal + " " + rows());
        }
        if (chance(8)) {
            send("Close " + (chance(50) ? "S " + statement : "P " + portal));
        }
        if (chance(65)) {
            sync();
        } else if (chance(30)) {
            send("Flush");
            maybePause(70);
        }
    }

    private void single() {
        switch (random.nextInt(8)) {
            case 0, 1 -> parse(pick(STATEMENT_NAMES));
            case 2 -> bind(pick(PORTAL_NAMES), pick(STATEMENT_NAMES));
            case 3 -> send("Describe " + (chance(50) ? "S " + pick(STATEMENT_NAMES) : "P " + pick(PORTAL_NAMES)));
            case 4, 5 -> send("Execute " + pick(PORTAL_NAMES) + " " + rows());
            case 6 -> send("Close " + (chance(50) ? "S " + pick(STATEMENT_NAMES) : "P " + pick(PORTAL_NAMES)));
            default -> send(chance(50) ? "Describe X -" : "Close X -");
        }
        maybePause(25);
    }

    private void parse(String name) {
        String statement = statement();
        prepared.put(name, statement);
        send("Parse " + name + " " + statement);
    }

    private void bind(String portal, String statement) {
        boolean takesValue = prepared.getOrDefault(statement, "").contains("$1");
        if (chance(5)) {
            takesValue = !takesValue;
        }
        String value = chance(92) ? "'" + (1 + random.nextInt(9)) + "'" : chance(50) ? "NULL" : "'x'";
        send("Bind " + portal + " " + statement + (takesValue ? " " + value : "") + (chance(10) ? " results=1" : ""));
    }

    private void sync() {
        send("Sync");
        maybePause(50);
    }

    /**
     * Sends the data of a COPY, mostly with its end. If a COPY fails on its data, the end is always sent, since docs/limits.md
     * asks for that.
     */
    private void copyMessages() {
        boolean fails = false;
        while (chance(50)) {
            boolean nonsense = chance(20);
            fails |= nonsense;
            send(nonsense ? "CopyData 'nonsense\\n'" : "CopyData '" + (100 + random.nextInt(5)) + "\\tcopied\\n'");
        }
        if (fails || chance(90)) {
            send(chance(75) ? "CopyDone" : "CopyFail gives up");
        }
        if (chance(60)) {
            sync();
        }
    }

    private int rows() {
        return chance(75) ? 0 : chance(80) ? 1 + random.nextInt(2) : 100;
    }

    /** Returns a statement, often a read: a replica may answer reads, so there are many. */
    private String statement() {
        return pick(statements.isEmpty() || chance(35) ? reads : statements);
    }

    private void send(String message) {
        burst.add(message);
    }

    private void maybePause(int percent) {
        if (chance(percent)) {
            pause();
        }
    }

    private void pause() {
        bursts.add(burst);
        burst = new ArrayList<>();
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
