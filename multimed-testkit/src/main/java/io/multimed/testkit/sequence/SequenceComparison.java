package io.multimed.testkit.sequence;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Plays sequences to PostgreSQL and to another server, each with a database that is in the same state at the beginning of every
 * sequence.
 */
public final class SequenceComparison implements AutoCloseable {
    private static final Duration TO_PREPARE = Duration.ofSeconds(60);
    private static final String DATABASE = "sequences";
    private static final String CREATE = """
            CREATE TABLE t (id int PRIMARY KEY, v text);
            CREATE TABLE big AS SELECT i AS id, repeat(chr(65 + i % 26), 200) AS pad FROM generate_series(1, 200) i;
            CREATE FUNCTION notes(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'noted %', $1; RETURN $1; END $$;
            """;
    private static final String RESET = """
            DELETE FROM t;
            INSERT INTO t VALUES (1, '10'), (2, 'twenty'), (3, '30'), (4, NULL), (5, '50')
            """;

    private final ServerAddress model;
    private final ServerAddress other;
    private final WireSession modelOwner;
    private final WireSession otherOwner;
    private final Duration patience;

    /**
     * Creates the database on both sides.
     *
     * @param model PostgreSQL
     * @param other the server that must answer alike
     * @param otherEngine the engine behind it, where the database is created and restored
     * @param patience longest wait for an answer that PostgreSQL gives at once
     */
    public SequenceComparison(ServerAddress model, ServerAddress other, ServerAddress otherEngine, Duration patience)
            throws IOException {
        this.model = model;
        this.other = other;
        this.patience = patience;
        modelOwner = create(model);
        otherOwner = create(otherEngine);
    }

    private static WireSession create(ServerAddress server) throws IOException {
        try (WireSession owner = WireSession.open(server, "postgres", "postgres", TO_PREPARE)) {
            owner.rows("DROP DATABASE IF EXISTS " + DATABASE + " WITH (FORCE)");
            owner.rows("CREATE DATABASE " + DATABASE);
        }
        WireSession owner = WireSession.open(server, "postgres", DATABASE, TO_PREPARE);
        owner.rows(CREATE);
        return owner;
    }

    /** Returns the name of the database on both sides. */
    public String database() {
        return DATABASE;
    }

    /** Plays the sequence to both. */
    public Optional<Difference> compare(MessageSequence sequence) throws IOException {
        reset(modelOwner);
        reset(otherOwner);
        ReceivedMessages expected = SequencePlayer.play(sequence, model, DATABASE, TO_PREPARE, null);
        ReceivedMessages answered = SequencePlayer.play(sequence, other, DATABASE, patience, expected);
        return Optional.ofNullable(difference(expected, answered));
    }

    private static void reset(WireSession owner) throws IOException {
        for (List<@Nullable String> row :
                owner.rows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()")) {
            owner.rows("ROLLBACK PREPARED '" + row.getFirst() + "'");
        }
        owner.rows(RESET);
    }

    private static @Nullable Difference difference(ReceivedMessages expected, ReceivedMessages answered) {
        int common = Math.min(expected.lines().size(), answered.lines().size());
        int place = 0;
        while (place < common
                && expected.lines().get(place).equals(answered.lines().get(place))) {
            place++;
        }
        if (place == expected.lines().size()
                && place == answered.lines().size()
                && expected.ended() == answered.ended()
                && !answered.silent()) {
            return null;
        }
        return Difference.at(place, expected.lines(), answered.lines(), end(expected), end(answered));
    }

    private static String end(ReceivedMessages recording) {
        return recording.silent() ? "(nothing)" : recording.ended() ? "(closed)" : "(over)";
    }

    /** Removes messages and pauses one by one as long as the servers still differ in the same way. */
    public MessageSequence shrink(MessageSequence differing, BiPredicate<MessageSequence, Difference> such)
            throws IOException {
        MessageSequence shortest = differing;
        boolean shorter = true;
        while (shorter) {
            shorter = false;
            for (MessageSequence candidate : shorterThan(shortest)) {
                if (compare(candidate)
                        .filter(found -> such.test(candidate, found))
                        .isPresent()) {
                    shortest = candidate;
                    shorter = true;
                    break;
                }
            }
        }
        return shortest;
    }

    /** Returns the sequences without one burst; then those with one pause less; then those without one message. */
    private static List<MessageSequence> shorterThan(MessageSequence sequence) {
        List<MessageSequence> shorter = new ArrayList<>();
        List<List<String>> bursts = sequence.bursts();
        for (int i = 0; i < bursts.size() && bursts.size() > 1; i++) {
            List<List<String>> without = new ArrayList<>(bursts);
            without.remove(i);
            shorter.add(new MessageSequence(without));
        }
        for (int i = 0; i + 1 < bursts.size(); i++) {
            List<List<String>> joined = new ArrayList<>(bursts);
            List<String> both = new ArrayList<>(joined.remove(i));
            both.addAll(joined.get(i));
            joined.set(i, both);
            shorter.add(new MessageSequence(joined));
        }
        for (int i = 0; i < bursts.size(); i++) {
            for (int k = 0; k < bursts.get(i).size() && sequence.messages() > 1; k++) {
                List<List<String>> without = new ArrayList<>(bursts);
                List<String> burst = new ArrayList<>(bursts.get(i));
                burst.remove(k);
                without.set(i, burst);
                shorter.add(new MessageSequence(without));
            }
        }
        return shorter;
    }

    @Override
    public void close() throws IOException {
        try (modelOwner) {
            otherOwner.close();
        }
    }
}
