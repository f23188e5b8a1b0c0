package io.multimed.tests.history;

import io.multimed.testkit.history.Outcome;
import io.multimed.testkit.history.Read;
import io.multimed.testkit.history.Update;
import io.multimed.tests.history.HistorySession.Failed;
import io.multimed.tests.history.HistorySession.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Runs and records update transactions, in every form in which a client can ask for a commit. */
final class Writer {
    /** The forms of a transaction. */
    enum Form {
        /** BEGIN, statements, COMMIT. */
        BLOCK,
        /** BEGIN, reads as transactions without writes begin with them too, then statements, COMMIT. */
        READ_FIRST,
        /** One statement that changes both tables. */
        AUTOCOMMIT,
        /** BEGIN to COMMIT in one message. */
        ONE_STRING,
        /** Two statements in one message without BEGIN: an implicit transaction. */
        IMPLICIT,
        /** A block of the procedural language that commits by itself. */
        PROCEDURE,
        /** A transaction that is prepared, then committed. */
        TWO_PHASE,
        /** COMMIT AND CHAIN, and the chained transaction rolled back. */
        CHAINED
    }

    /** Number of shapes of the reads with which blocks begin. */
    private static final int SHAPES = 200;

    static final String SET = "UPDATE register SET v = ? WHERE k = ?";
    private static final String VALUE = "SELECT v FROM register WHERE k = ?";
    static final String ADD = "INSERT INTO entry VALUES (?)";

    private final HistorySession session;
    private final int number;
    private final int writer;
    private final Dialect dialect;
    private final Recording recording;

    /**
     * @param number of the session
     * @param writer owner of the registers that are written; the same after a connection was lost
     */
    Writer(HistorySession session, int number, int writer, Dialect dialect, Recording recording) {
        this.session = session;
        this.number = number;
        this.writer = writer;
        this.dialect = dialect;
        this.recording = recording;
    }

    /** A transaction that is being recorded. */
    private final class Attempt {
        final long id = recording.nextId();
        final Set<Integer> registers;
        final Map<Integer, Long> read = new HashMap<>();
        final long invoked = System.nanoTime();
        long commitSent;
        boolean sent;

        Attempt(Set<Integer> registers) {
            this.registers = registers;
        }

        void committing() {
            commitSent = System.nanoTime();
            sent = true;
        }

        void ended(Outcome outcome) {
            long replied = outcome == Outcome.INFO ? Long.MAX_VALUE : System.nanoTime();
            recording.add(new Update(number, id, invoked, commitSent, replied, outcome, read, registers));
        }
    }

    private interface Statements {
        void run(Attempt attempt) throws Failed;
    }

    private void record(Set<Integer> registers, boolean mayBeInBlock, Statements statements) throws Failed {
        Attempt attempt = new Attempt(registers);
        try {
            statements.run(attempt);
            attempt.ended(Outcome.OK);
        } catch (Failed failed) {
            recording.error(failed.sqlState, String.valueOf(failed.getMessage()));
            // 08007 is a server's own code for an unknown outcome.
            boolean unknown = attempt.sent && (failed.lost || !dialect.settled(failed.sqlState));
            attempt.ended(unknown ? Outcome.INFO : Outcome.FAIL);
            if (failed.lost) {
                throw failed;
            }
            if (mayBeInBlock) {
                session.rollback();
            }
        }
    }

    /** Writes without reading first. */
    void write(Form form, Set<Integer> registers) throws Failed {
        switch (form) {
            case BLOCK ->
                record(registers, true, attempt -> {
                    session.begin(Kind.READ_COMMITTED);
                    change(attempt);
                    attempt.committing();
                    session.commit();
                });
            case READ_FIRST ->
                record(registers, true, attempt -> {
                    session.begin(Kind.READ_COMMITTED);
                    lookAround(attempt);
                    change(attempt);
                    for (int register : attempt.registers) {
                        long seen = session.query(VALUE, register).getFirst()[0];
                        if (seen != attempt.id) {
                            recording.contradiction("own transaction " + attempt.id + " read " + seen);
                        }
                    }
                    attempt.committing();
                    session.commit();
                });
            case AUTOCOMMIT ->
                record(Set.of(registers.iterator().next()), false, attempt -> {
                    attempt.committing();
                    dialect.changeAtOnce(
                            session, attempt.id, attempt.registers.iterator().next());
                });
            case ONE_STRING ->
                record(registers, true, attempt -> {
                    attempt.committing();
                    session.executeTogether("BEGIN; " + changes(attempt) + "COMMIT");
                });
            case IMPLICIT ->
                record(registers, false, attempt -> {
                    attempt.committing();
                    session.executeTogether(changes(attempt));
                });
            case PROCEDURE ->
                record(registers, true, attempt -> {
                    attempt.committing();
                    session.executeTogether(dialect.procedure(changes(attempt)));
                });
            case TWO_PHASE ->
                record(registers, true, attempt -> {
                    session.executeTogether(dialect.prepare(changes(attempt), writer, attempt.id));
                    attempt.committing();
                    session.executeTogether(dialect.commitPrepared(writer, attempt.id));
                });
            case CHAINED ->
                record(registers, true, attempt -> {
                    attempt.committing();
                    session.executeTogether("BEGIN; " + changes(attempt) + "COMMIT AND CHAIN; ROLLBACK");
                });
        }
    }

    /** Reads shared registers under REPEATABLE READ and overwrites them. */
    void readAndWrite(RandomGenerator random) throws Failed {
        Set<Integer> registers = new TreeSet<>(Set.of(Schema.shared(random)));
        registers.add(Schema.shared(random));
        record(registers, true, attempt -> {
            session.begin(Kind.REPEATABLE_READ);
            for (int register : registers) {
                attempt.read.put(
                        register,
                        session.query(dialect.beforeOverwriting(VALUE), register)
                                .getFirst()[0]);
            }
            change(attempt);
            attempt.committing();
            session.commit();
        });
    }

    private void lookAround(Attempt attempt) throws Failed {
        // Blocks that begin with a shape after which there mostly are writes begin on the Master.
        String read = Reader.AGGREGATES + " AS shape_" + attempt.id % SHAPES;
        long invoked = System.nanoTime();
        long[] row = session.query(read).getFirst();
        long replied = System.nanoTime();
        boolean master = session.onMaster();
        long begun = session.isPastMultimed() ? Read.PAST_MULTIMED : invoked;
        recording.add(new Read(number, begun, invoked, replied, master, Map.of(), row[0], row[1]));
        if (!master) {
            recording.readElsewhereBeforeWrite();
        }
    }

    private void change(Attempt attempt) throws Failed {
        for (int register : attempt.registers) {
            session.execute(SET, attempt.id, register);
        }
        session.execute(ADD, attempt.id);
    }

    /**
     * Rolls back the transactions that this writer prepared before it lost its connection, as a transaction manager would: they
     * hold locks. If the reply of the commit was lost, the transaction is either committed or still prepared.
     */
    void rollBackPrepared() throws Failed {
        dialect.rollBackPrepared(session, writer);
    }

    private static String changes(Attempt attempt) {
        StringBuilder sql = new StringBuilder();
        for (int register : attempt.registers) {
            sql.append("UPDATE register SET v = ")
                    .append(attempt.id)
                    .append(" WHERE k = ")
                    .append(register)
                    .append("; ");
        }
        return sql.append("INSERT INTO entry VALUES (")
                .append(attempt.id)
                .append("); ")
                .toString();
    }
}
