package io.multimed.jdbc.isolation;

import java.sql.SQLException;

/**
 * Effects that concurrent transactions can have and serial ones cannot, with the names of Berenson et al. (1995) and Fekete et al.
 * (2004). Table {@code t} has rows 1 and 2.
 */
enum Anomaly {
    DIRTY_READ("dirty read") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[1];
            writer.does(() -> writer.change("UPDATE t SET v = 1 WHERE id = 1"));
            reader.does(() -> seen[0] = reader.read(X));
            writer.does(writer::rollBack);
            finish(reader, writer, other);
            return seen[0] == 1;
        }
    },
    NON_REPEATABLE_READ("non-repeatable read") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[2];
            reader.does(() -> seen[0] = reader.read(X));
            writer.does(() -> writer.change("UPDATE t SET v = 1 WHERE id = 1"));
            writer.does(writer::commit);
            reader.does(() -> seen[1] = reader.read(X));
            finish(reader, writer, other);
            return seen[0] != seen[1];
        }
    },
    PHANTOM("phantom") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[2];
            reader.does(() -> seen[0] = reader.read("SELECT COUNT(*) FROM t WHERE v < 5"));
            writer.does(() -> writer.change("INSERT INTO t VALUES (3, 0)"));
            writer.does(writer::commit);
            reader.does(() -> seen[1] = reader.read("SELECT COUNT(*) FROM t WHERE v < 5"));
            finish(reader, writer, other);
            return seen[0] != seen[1];
        }
    },
    READ_SKEW("read skew") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[2];
            reader.does(() -> seen[0] = reader.read(X));
            writer.does(() -> writer.change("UPDATE t SET v = 1"));
            writer.does(writer::commit);
            reader.does(() -> seen[1] = reader.read(Y));
            finish(reader, writer, other);
            return seen[0] != seen[1];
        }
    },
    /**
     * The reader is the third transaction. The two update transactions have a serial order, but none that includes the reader's
     * results.
     */
    READ_ONLY("read-only anomaly") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[3];
            other.does(() -> seen[2] = other.read(X) + other.read(Y));
            writer.does(() -> writer.change("UPDATE t SET v = 20 WHERE id = 2"));
            writer.does(writer::commit);
            reader.does(() -> {
                seen[0] = reader.read(X);
                seen[1] = reader.read(Y);
                reader.commit();
            });
            other.does(() -> {
                other.change("UPDATE t SET v = -10 WHERE id = 1");
                other.commit();
            });
            finish(reader, writer, other);
            return reader.committed()
                    && writer.committed()
                    && other.committed()
                    && seen[0] == 0
                    && seen[1] == 20
                    && seen[2] == 0;
        }
    },
    LOST_UPDATE("lost update") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[2];
            writer.does(() -> seen[0] = writer.read(X));
            other.does(() -> seen[1] = other.read(X));
            writer.does(() -> writer.change("UPDATE t SET v = " + (seen[0] + 1) + " WHERE id = 1"));
            writer.does(writer::commit);
            other.does(() -> other.change("UPDATE t SET v = " + (seen[1] + 1) + " WHERE id = 1"));
            other.does(other::commit);
            finish(reader, writer, other);
            return writer.committed() && other.committed() && seen[0] == 0 && seen[1] == 0;
        }
    },
    WRITE_SKEW("write skew") {
        @Override
        boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException {
            int[] seen = new int[2];
            writer.does(() -> seen[0] = writer.read(X) + writer.read(Y));
            other.does(() -> seen[1] = other.read(X) + other.read(Y));
            writer.does(() -> writer.change("UPDATE t SET v = v + 1 WHERE id = 1"));
            other.does(() -> other.change("UPDATE t SET v = v + 1 WHERE id = 2"));
            writer.does(writer::commit);
            other.does(other::commit);
            finish(reader, writer, other);
            return writer.committed() && other.committed() && seen[0] == 0 && seen[1] == 0;
        }
    };

    private static final String X = "SELECT v FROM t WHERE id = 1";
    private static final String Y = "SELECT v FROM t WHERE id = 2";

    private final String words;

    Anomaly(String words) {
        this.words = words;
    }

    /** Whether a transaction that only reads can see it. */
    boolean concernsReaders() {
        return compareTo(LOST_UPDATE) < 0;
    }

    String words() {
        return words;
    }

    abstract boolean happens(Actor reader, Actor writer, Actor other) throws InterruptedException, SQLException;

    private static void finish(Actor... actors) throws InterruptedException {
        for (Actor actor : actors) {
            actor.end();
        }
        for (Actor actor : actors) {
            actor.ended();
        }
    }
}
